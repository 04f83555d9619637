/**
 * How a reflector behaves: options, back-off, clock and index functions. Plain values
 * that the other rooms take their part of. They call nothing.
 */
@NullMarked
package dev.reflector.cache.config;

import org.jspecify.annotations.NullMarked;
