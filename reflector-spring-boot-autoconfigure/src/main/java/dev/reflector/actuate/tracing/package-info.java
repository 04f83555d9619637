/**
 * Observations of lists and deliveries, for traces.
 * {@link dev.reflector.actuate.tracing.ReflectorObservations} puts a source and handlers
 * that are observed around those of a reflector; the threads of the reflector call them.
 */
@NullMarked
package dev.reflector.actuate.tracing;

import org.jspecify.annotations.NullMarked;
