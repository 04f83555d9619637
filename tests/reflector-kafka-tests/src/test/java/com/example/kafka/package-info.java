/**
 * The code of the guide.
 */
@NullMarked
package com.example.kafka;

import org.jspecify.annotations.NullMarked;
