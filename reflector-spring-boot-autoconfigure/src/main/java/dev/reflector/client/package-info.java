/**
 * Placeholder.
 */
@NullMarked
package dev.reflector.client;

import org.jspecify.annotations.NullMarked;
