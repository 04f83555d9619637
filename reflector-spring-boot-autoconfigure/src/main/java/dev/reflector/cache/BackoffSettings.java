package dev.reflector.cache;

import java.time.Duration;

/**
 * How long a reflector waits between attempts: exponentially longer delays, with a cap,
 * and with jitter that only ever lengthens (rules ).
 *
 * @param initial first delay
 * @param max largest delay before jitter
 * @param multiplier factor between two delays, at least 1
 * @param jitter up to which part of a delay is added to it at random; 0 for none
 * @param resetAfter how long all must have been well until the sequence starts anew; with
 * {@link ReflectorOptions.Compatibility#CLIENT_GO} the time since it last did
 * @since 0.1.0
 */
public record BackoffSettings(Duration initial, Duration max, double multiplier, double jitter, Duration resetAfter) {

	/** The delays of client-go. */
	public static final BackoffSettings DEFAULT = new BackoffSettings(Duration.ofMillis(800), Duration.ofSeconds(30),
			2.0, 1.0, Duration.ofMinutes(2));

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when one is out of its range
	 */
	public BackoffSettings {
		if (initial.isNegative() || initial.isZero()) {
			throw new IllegalArgumentException("'initial' must be positive");
		}
		if (max.compareTo(initial) < 0) {
			throw new IllegalArgumentException("'max' must not be less than 'initial'");
		}
		if (!(multiplier >= 1)) {
			throw new IllegalArgumentException("'multiplier' must be at least 1");
		}
		if (!(jitter >= 0)) {
			throw new IllegalArgumentException("'jitter' must not be negative");
		}
		if (resetAfter.isNegative()) {
			throw new IllegalArgumentException("'resetAfter' must not be negative");
		}
	}

}
