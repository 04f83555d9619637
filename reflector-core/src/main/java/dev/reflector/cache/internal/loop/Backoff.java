package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.util.random.RandomGenerator;

import dev.reflector.cache.config.BackoffSettings;
import dev.reflector.cache.config.TimeSource;

/**
 * The delays between attempts (rules ): exponential, with a cap, with jitter
 * that only ever lengthens. They start over after a success that lasted (E-08), or, as in
 * client-go, when enough time has passed since the last start. Not safe for use by
 * several threads.
 */
final class Backoff {

	private final BackoffSettings settings;

	private final TimeSource time;

	private final RandomGenerator random;

	private final boolean resetsWhileFailing;

	private double next;

	/**
	 * The start of the time to the next reset: the last reset, or the first success after
	 * a failure.
	 */
	private long since;

	private boolean counting;

	private int inARow;

	/**
	 * Creates the sequence.
	 * @param settings the delays
	 * @param time measures the time to the next reset
	 * @param random draws the jitter
	 * @param resetsWhileFailing whether the sequence starts over although nothing has
	 * succeeded (rule R-06)
	 */
	Backoff(BackoffSettings settings, TimeSource time, RandomGenerator random, boolean resetsWhileFailing) {
		this.settings = settings;
		this.time = time;
		this.random = random;
		this.resetsWhileFailing = resetsWhileFailing;
		this.next = settings.initial().toNanos();
		this.since = time.nanoTime();
		this.counting = resetsWhileFailing;
	}

	/**
	 * Notes a success.
	 */
	void succeeded() {
		if (!this.counting) {
			this.counting = true;
			this.since = this.time.nanoTime();
		}
	}

	/**
	 * Draws the next delay.
	 * @return the delay
	 */
	Duration next() {
		resetIfDue();
		this.inARow++;
		this.counting = this.resetsWhileFailing;
		double delay = this.next;
		// the cap applies when the next value is computed, before jitter
		this.next = Math.min(delay * this.settings.multiplier(), Math.max(this.settings.max().toNanos(), delay));
		return jittered(delay);
	}

	/**
	 * How many delays have been drawn since the sequence started over.
	 * @return the number
	 */
	int inARow() {
		resetIfDue();
		return this.inARow;
	}

	/**
	 * Whether something has succeeded since the last delay was drawn.
	 * @return whether it has
	 */
	boolean hasSucceeded() {
		return this.counting;
	}

	private void resetIfDue() {
		long now = this.time.nanoTime();
		// counted from the last reset, even if the last draw was recent; E-08: from
		// a success on
		if (this.counting && resetDue(now)) {
			this.next = this.settings.initial().toNanos();
			this.since = now;
			this.inARow = 0;
		}
	}

	private boolean resetDue(long now) {
		// a time of zero resets at every draw
		return this.settings.resetAfter().isZero() || now - this.since > this.settings.resetAfter().toNanos();
	}

	/**
	 * The delay after a short stream (E-04). Does not advance the sequence.
	 * @return the time
	 */
	Duration spacing() {
		return jittered(this.settings.initial().toNanos());
	}

	/**
	 * The time after which a request is made although an awaited announcement has not
	 * come (E-21). Does not advance the sequence.
	 * @return the time
	 */
	Duration longest() {
		return jittered(this.settings.max().toNanos());
	}

	/**
	 * A short random delay, so that clients that lost the same server do not come back at
	 * once (E-07). It is less than the first delay. Does not advance the sequence.
	 * @return the time
	 */
	Duration scatter() {
		return Duration.ofNanos((long) (this.random.nextDouble() * this.settings.initial().toNanos()));
	}

	private Duration jittered(double delay) {
		// [d, d + jitter * d), and no part of the next value
		double jitter = (this.settings.jitter() > 0) ? this.random.nextDouble() * this.settings.jitter() * delay : 0;
		return Duration.ofNanos((long) (delay + jitter));
	}

}
