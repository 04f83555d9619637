package dev.reflector.cache.config;

import java.time.Duration;

/**
 * How a reflector delivers changes to handlers.
 *
 * @param resyncPeriod how often to deliver every object again, {@link Duration#ZERO} for
 * never
 * @param concurrency the number of threads that call each handler. All changes of one
 * object are delivered on the same thread. The threads divide the capacity of the
 * handler's queue among them
 * @param recreationDetected whether an object that was replaced by one of the same name,
 * but with another uid, is delivered as a deletion and an addition rather than as an
 * update
 * @param drainTimeout how long a stopping reflector continues to deliver the changes that
 * are already in the mirror
 * @param slowListenerThreshold how long a call of a handler may take before a warning is
 * logged, {@link Duration#ZERO} for no warning
 * @since 0.1.0
 */
public record DeliverySettings(Duration resyncPeriod, int concurrency, boolean recreationDetected,
		Duration drainTimeout, Duration slowListenerThreshold) {

	/**
	 * Checks the values. A time can be 36,500 days at most.
	 * @throws IllegalArgumentException when a value is out of its range
	 */
	public DeliverySettings {
		if (concurrency < 1) {
			throw new IllegalArgumentException("'concurrency' must be at least 1");
		}
		Checks.duration("resyncPeriod", resyncPeriod);
		Checks.duration("drainTimeout", drainTimeout);
		Checks.duration("slowListenerThreshold", slowListenerThreshold);
	}

}
