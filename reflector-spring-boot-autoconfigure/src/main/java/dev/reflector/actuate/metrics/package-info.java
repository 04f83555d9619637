/**
 * Meters of the reflectors. {@link dev.reflector.actuate.metrics.ReflectorMetrics} puts a
 * source and handlers that measure around those of a reflector; the threads of the
 * reflector call them. Registries read the rest from the status, at each scrape.
 */
@NullMarked
package dev.reflector.actuate.metrics;

import org.jspecify.annotations.NullMarked;
