/**
 * Meters of the reflectors. {@link dev.reflector.actuate.metrics.ReflectorMetrics} makes
 * an observer of each reflector, which the threads of the reflector and of its source
 * call. Registries read the rest from the status, at each scrape.
 */
@NullMarked
package dev.reflector.actuate.metrics;

import org.jspecify.annotations.NullMarked;
