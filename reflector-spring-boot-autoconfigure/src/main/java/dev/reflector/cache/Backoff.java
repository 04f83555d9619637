package dev.reflector.cache;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The delays between attempts (rules ): exponential, with a cap, with jitter
 * that only ever lengthens, starting anew when enough time has passed since the last
 * start. Not safe for use by several threads.
 */
public final class Backoff {

	private final Settings settings;

	private final TimeSource time;

	private final RandomGenerator random;

	private double next;

	private long resetAt;

	/**
	 * Creates the sequence.
	 * @param settings the delays
	 * @param time measures the time since the last reset
	 * @param random draws the jitter
	 */
	public Backoff(Settings settings, TimeSource time, RandomGenerator random) {
		this.settings = settings;
		this.time = time;
		this.random = random;
		reset(time.nanoTime());
	}

	private void reset(long now) {
		this.next = this.settings.initial().toNanos();
		this.resetAt = now;
	}

	/**
	 * Draws the next delay.
	 * @return the delay
	 */
	public Duration next() {
		long now = this.time.nanoTime();
		// counted from the last reset, however recent the last draw was
		if (now - this.resetAt > this.settings.resetAfter().toNanos()) {
			reset(now);
		}
		double delay = this.next;
		// the cap applies when the next value is computed, before jitter
		this.next = Math.min(delay * this.settings.multiplier(), Math.max(this.settings.max().toNanos(), delay));
		return jittered(delay);
	}

	/**
	 * The least time between the starts of two streams when the first was short (E-04).
	 * Does not advance the sequence.
	 * @return the time
	 */
	public Duration spacing() {
		return jittered(this.settings.initial().toNanos());
	}

	private Duration jittered(double delay) {
		// [d, d + jitter * d), and no part of the next value
		double jitter = (this.settings.jitter() > 0) ? this.random.nextDouble() * this.settings.jitter() * delay : 0;
		return Duration.ofNanos((long) (delay + jitter));
	}

	/**
	 * The shape of the sequence.
	 *
	 * @param initial first delay
	 * @param max largest delay before jitter
	 * @param multiplier factor between two delays, at least 1
	 * @param jitter up to which part of a delay is added to it at random; 0 for none
	 * @param resetAfter time since the last start after which the sequence starts anew
	 */
	public record Settings(Duration initial, Duration max, double multiplier, double jitter, Duration resetAfter) {

		/** The delays of client-go. */
		public static final Settings DEFAULT = new Settings(Duration.ofMillis(800), Duration.ofSeconds(30), 2.0, 1.0,
				Duration.ofMinutes(2));

		public Settings {
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

}
