/**
 * Meters of the reflectors. {@link dev.reflector.actuate.metrics.ReflectorMetrics} makes
 * an observer for each reflector. The threads of the reflector and of its source call the
 * observer. The other meters read the status of the reflector at each scrape.
 */
@NullMarked
package dev.reflector.actuate.metrics;

import org.jspecify.annotations.NullMarked;
