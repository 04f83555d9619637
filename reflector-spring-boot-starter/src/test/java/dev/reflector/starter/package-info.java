/**
 * Tests of what the starter brings.
 */
@NullMarked
package dev.reflector.starter;

import org.jspecify.annotations.NullMarked;
