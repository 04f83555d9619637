package dev.reflector.event;

import java.time.Duration;

/**
 * What happens to an event that a listener has failed on, and which listeners count as
 * slow.
 *
 * @param onError what happens after a failure
 * @param maxAttempts how often a listener is called with one event at most, the first
 * time included; of meaning for {@link OnError#RETRY} and {@link OnError#RETRY_THEN_STOP}
 * only
 * @param delay delay before the second attempt
 * @param multiplier factor between two delays
 * @param maxDelay largest delay
 * @param slowThreshold how long a call may take until the listener is named in a warning,
 * {@link Duration#ZERO} for ever
 * @since 0.1.0
 */
public record DeliveryPolicy(OnError onError, int maxAttempts, Duration delay, double multiplier, Duration maxDelay,
		Duration slowThreshold) {

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
		if (delay.isNegative() || slowThreshold.isNegative()) {
			throw new IllegalArgumentException("'delay' and 'slowThreshold' must not be negative");
		}
		if (maxDelay.compareTo(delay) < 0) {
			throw new IllegalArgumentException("'maxDelay' must not be less than 'delay'");
		}
	}

	/** What happens after a listener has failed on an event. */
	public enum OnError {

		/** The failure is logged and counted; the next event follows. */
		LOG,

		/**
		 * Those listeners that failed are called again after a delay, while later events
		 * wait. When no attempt is left, the next event follows.
		 */
		RETRY,

		/**
		 * As {@link #RETRY}, but when no attempt is left, as {@link #STOP}.
		 */
		RETRY_THEN_STOP,

		/**
		 * Nothing more is delivered until the reflector is started or resumed. The mirror
		 * goes on.
		 */
		STOP;

		/** Whether the next event follows one that could not be delivered. */
		public boolean isLossy() {
			return this == LOG || this == RETRY;
		}

	}

}
