package dev.reflector.event;

import java.time.Duration;

/**
 * The policy for listeners that fail on an event.
 *
 * @param onError what to do after a failure
 * @param maxAttempts largest number of calls of a listener with one event, including the
 * first; only for {@link OnError#RETRY} and {@link OnError#RETRY_THEN_STOP}
 * @param delay delay before the second attempt
 * @param multiplier factor by which the delay grows after each further failure
 * @param maxDelay largest delay between two attempts
 * @since 0.1.0
 */
public record DeliveryPolicy(OnError onError, int maxAttempts, Duration delay, double multiplier, Duration maxDelay) {

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException if a value is out of its range
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

		/** The failure is logged and counted. Then the next event is delivered. */
		LOG,

		/**
		 * The listeners that failed are called again after a delay, while later events
		 * wait. After the last attempt, the next event is delivered.
		 */
		RETRY,

		/**
		 * Like {@link #RETRY}, but if the last attempt fails, delivery stops as with
		 * {@link #STOP}.
		 */
		RETRY_THEN_STOP,

		/**
		 * Delivery stops until the reflector is started again or resumed. The mirror
		 * still follows the server.
		 */
		STOP;

		/** Whether delivery continues after an event that could not be delivered. */
		public boolean isLossy() {
			return this == LOG || this == RETRY;
		}

	}

}
