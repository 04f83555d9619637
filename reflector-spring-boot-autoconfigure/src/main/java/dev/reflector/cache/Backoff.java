package dev.reflector.cache;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The delays between attempts (rules ): exponential, with a cap, with jitter
 * that only ever lengthens. They start anew after a success that lasted (E-08), or, as in
 * client-go, when enough time has passed since the last start. Not safe for use by
 * several threads.
 */
public final class Backoff {

	private final Settings settings;

	private final TimeSource time;

	private final RandomGenerator random;

	private final boolean resetsWhileFailing;

	private double next;

	/**
	 * Since when the time to the next reset counts: since the last one, or since the
	 * first success after a failure.
	 */
	private long since;

	private boolean counting;

	/**
	 * Creates the sequence.
	 * @param settings the delays
	 * @param time measures the time to the next reset
	 * @param random draws the jitter
	 * @param resetsWhileFailing whether the sequence starts anew although nothing has
	 * succeeded (rule R-06)
	 */
	public Backoff(Settings settings, TimeSource time, RandomGenerator random, boolean resetsWhileFailing) {
		this.settings = settings;
		this.time = time;
		this.random = random;
		this.resetsWhileFailing = resetsWhileFailing;
		this.next = settings.initial().toNanos();
		this.since = time.nanoTime();
		this.counting = resetsWhileFailing;
	}

	/**
	 * Notes that all is well now.
	 */
	public void succeeded() {
		if (!this.counting) {
			this.counting = true;
			this.since = this.time.nanoTime();
		}
	}

	/**
	 * Draws the next delay.
	 * @return the delay
	 */
	public Duration next() {
		long now = this.time.nanoTime();
		// counted from the last reset, however recent the last draw was; E-08: from
		// a success on
		if (this.counting && resetDue(now)) {
			this.next = this.settings.initial().toNanos();
			this.since = now;
		}
		this.counting = this.resetsWhileFailing;
		double delay = this.next;
		// the cap applies when the next value is computed, before jitter
		this.next = Math.min(delay * this.settings.multiplier(), Math.max(this.settings.max().toNanos(), delay));
		return jittered(delay);
	}

	private boolean resetDue(long now) {
		// however little time has passed, it is more than none
		return this.settings.resetAfter().isZero() || now - this.since > this.settings.resetAfter().toNanos();
	}

	/**
	 * The least time between the starts of two streams when the first was short (E-04).
	 * Does not advance the sequence.
	 * @return the time
	 */
	public Duration spacing() {
		return jittered(this.settings.initial().toNanos());
	}

	/**
	 * The time after which something that another will tell is looked into all the same
	 * (E-21). Does not advance the sequence.
	 * @return the time
	 */
	public Duration longest() {
		return jittered(this.settings.max().toNanos());
	}

	/**
	 * A moment to keep many clients apart that lost the same server (E-07): less than the
	 * first delay, at random. Does not advance the sequence.
	 * @return the time
	 */
	public Duration scatter() {
		return Duration.ofNanos((long) (this.random.nextDouble() * this.settings.initial().toNanos()));
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
	 * @param resetAfter how long all must have been well until the sequence starts anew;
	 * with {@link ReflectorOptions.Compatibility#CLIENT_GO} the time since it last did
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
