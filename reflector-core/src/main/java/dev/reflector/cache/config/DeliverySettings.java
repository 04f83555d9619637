package dev.reflector.cache.config;

import java.time.Duration;

/**
 * How a reflector delivers changes to handlers.
 *
 * @param resyncPeriod how often to deliver every object again, {@link Duration#ZERO} for
 * never
 * @param concurrency how many threads call each handler; all changes of one object come
 * on one of them, and the capacity of the handler's queue is divided among them
 * @param recreationDetected whether an object that comes back with another uid is
 * delivered as a deletion and an addition rather than as an update
 * @param drainTimeout how long a stop continues to deliver the changes that the mirror
 * already shows
 * @param slowListenerThreshold how long a handler's call may take before a warning names
 * it, {@link Duration#ZERO} for no warning
 * @since 0.1.0
 */
public record DeliverySettings(Duration resyncPeriod, int concurrency, boolean recreationDetected,
		Duration drainTimeout, Duration slowListenerThreshold) {

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when one is out of its range
	 */
	public DeliverySettings {
		if (concurrency < 1) {
			throw new IllegalArgumentException("'concurrency' must be at least 1");
		}
		Checks.notNegative("resyncPeriod", resyncPeriod);
		Checks.notNegative("drainTimeout", drainTimeout);
		Checks.notNegative("slowListenerThreshold", slowListenerThreshold);
	}

}
