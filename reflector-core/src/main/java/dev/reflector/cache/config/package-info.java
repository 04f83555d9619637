/**
 * Configuration of a reflector: options, back-off, clock and index functions. Users and
 * the auto-configuration make them, and each part of the engine takes the part that it
 * uses. They are plain values, apart from the clock, whose tasks run on one timer thread.
 */
@NullMarked
package dev.reflector.cache.config;

import org.jspecify.annotations.NullMarked;
