/**
 * Observations of lists and deliveries, for traces.
 * {@link dev.reflector.actuate.tracing.ReflectorObservations} wraps the source and the
 * handlers of a reflector. The threads of the reflector call the wrapped source and
 * handlers.
 */
@NullMarked
package dev.reflector.actuate.tracing;

import org.jspecify.annotations.NullMarked;
