/**
 * Configuration of a reflector: options, back-off, clock and index functions. Users and
 * the auto-configuration create these values, and the parts of the engine read them. All
 * are plain values except the clock, whose tasks run on one timer thread.
 */
@NullMarked
package dev.reflector.cache.config;

import org.jspecify.annotations.NullMarked;
