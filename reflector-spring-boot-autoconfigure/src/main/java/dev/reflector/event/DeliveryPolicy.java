package dev.reflector.event;

import java.time.Duration;

/**
 * What to do when a listener fails on an event.
 *
 * @param onError what to do after a failure
 * @param maxAttempts how often to call a listener with one event at most, the first call
 * included; for {@link OnError#RETRY} and {@link OnError#RETRY_THEN_STOP} only
 * @param delay delay before the second attempt
 * @param multiplier factor between two delays
 * @param maxDelay largest delay
 * @since 0.1.0
 */
public record DeliveryPolicy(OnError onError, int maxAttempts, Duration delay, double multiplier, Duration maxDelay) {

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when one is out of its range
	 */
	public DeliveryPolicy {
		if (maxAttempts < 1) {
			throw new IllegalArgumentException("'maxAttempts' must be at least 1");
		}
		if (multiplier < 1) {
			throw new IllegalArgumentException("'multiplier' must be at least 1");
		}
		if (delay.isNegative()) {
			throw new IllegalArgumentException("'delay' must not be negative");
		}
		if (maxDelay.compareTo(delay) < 0) {
			throw new IllegalArgumentException("'maxDelay' must not be less than 'delay'");
		}
	}

	/** What to do after a listener has failed on an event. */
	public enum OnError {

		/** The failure is logged and counted; the next event follows. */
		LOG,

		/**
		 * The listeners that failed are called again after a delay, and later events
		 * wait. After the last attempt the next event follows.
		 */
		RETRY,

		/**
		 * As {@link #RETRY}, but when no attempt is left, as {@link #STOP}.
		 */
		RETRY_THEN_STOP,

		/**
		 * Delivery stops until the reflector is started or resumed. The mirror still
		 * follows the server.
		 */
		STOP;

		/** Whether the next event follows one that could not be delivered. */
		public boolean isLossy() {
			return this == LOG || this == RETRY;
		}

	}

}
