package dev.reflector.cache.config;

import java.time.Duration;

/**
 * The delays between the attempts of a reflector. They grow exponentially up to a
 * maximum; jitter only lengthens them.
 *
 * @param initial the first delay
 * @param max the largest delay, before jitter is added
 * @param multiplier the factor from one delay to the next, at least 1
 * @param jitter the largest random addition to a delay, as a fraction of the delay; 0 for
 * no jitter
 * @param resetAfter the time without a failure after which the delays start again with
 * the first one. With {@link Compatibility#CLIENT_GO}, the time counts from the moment at
 * which the delays last started again, and the two minutes of client-go replace the five
 * seconds of {@link #DEFAULT}
 * @since 0.1.0
 */
public record BackoffSettings(Duration initial, Duration max, double multiplier, double jitter, Duration resetAfter) {

	/**
	 * The delays of client-go, which start again after five seconds without a failure. If
	 * the first delay, the largest delay and the multiplier have these values, a
	 * reflector waits less where that is safe: after refused connections, after an
	 * expired version, and when the server sends a time to wait.
	 */
	public static final BackoffSettings DEFAULT = new BackoffSettings(Duration.ofMillis(800), Duration.ofSeconds(30),
			2.0, 1.0, Duration.ofSeconds(5));

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when a value is out of its range
	 */
	public BackoffSettings {
		if (initial.isNegative() || initial.isZero()) {
			throw new IllegalArgumentException("'initial' must be positive");
		}
		if (max.compareTo(initial) < 0) {
			throw new IllegalArgumentException("'max' must not be less than 'initial'");
		}
		Checks.duration("max", max);
		if (!(multiplier >= 1)) {
			throw new IllegalArgumentException("'multiplier' must be at least 1");
		}
		if (!(jitter >= 0)) {
			throw new IllegalArgumentException("'jitter' must not be negative");
		}
		Checks.duration("resetAfter", resetAfter);
	}

}
