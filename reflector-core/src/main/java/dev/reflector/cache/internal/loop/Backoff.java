package dev.reflector.cache.internal.loop;

import java.time.Duration;
import java.util.random.RandomGenerator;

import dev.reflector.cache.config.BackoffSettings;
import dev.reflector.cache.config.TimeSource;

/**
 * The delays between attempts (rules ). They grow exponentially up to a
 * limit, and jitter only lengthens them. They start over when enough time has passed
 * after a success, without a failure in between (E-08). If {@code resetsWhileFailing} is
 * set, they start over when enough time has passed since they last started over. Not
 * thread-safe.
 */
final class Backoff {

	private final BackoffSettings settings;

	private final TimeSource time;

	private final RandomGenerator random;

	private final boolean resetsWhileFailing;

	private double next;

	/**
	 * The moment from which the time to the next reset counts: the last reset, or the
	 * first success after a failure.
	 */
	private long since;

	private boolean counting;

	private int inARow;

	/**
	 * Creates a sequence of delays.
	 * @param settings the first and the longest delay, how fast delays grow, and when
	 * they start over
	 * @param time source of time
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
		// the limit applies to the next value, before jitter is added
		this.next = Math.min(delay * this.settings.multiplier(), Math.max(this.settings.max().toNanos(), delay));
		return jittered(delay);
	}

	/**
	 * Returns how many delays have been drawn since the sequence started over.
	 * @return the number of delays
	 */
	int inARow() {
		resetIfDue();
		return this.inARow;
	}

	/**
	 * Whether an attempt has succeeded since the last delay was drawn.
	 * @return whether an attempt has succeeded; always {@code true} if {@code
	 * resetsWhileFailing} is set
	 */
	boolean hasSucceeded() {
		return this.counting;
	}

	private void resetIfDue() {
		long now = this.time.nanoTime();
		// with resetsWhileFailing, the time counts from the last reset, even if a
		// delay was drawn recently; E-08: otherwise it counts from the first success
		if (this.counting && resetDue(now)) {
			this.next = this.settings.initial().toNanos();
			this.since = now;
			this.inARow = 0;
		}
	}

	private boolean resetDue(long now) {
		// with a reset time of zero, the sequence starts over before each delay
		return this.settings.resetAfter().isZero() || now - this.since > this.settings.resetAfter().toNanos();
	}

	/**
	 * Returns the delay after a short stream (E-04). Does not advance the sequence.
	 * @return the delay
	 */
	Duration spacing() {
		return jittered(this.settings.initial().toNanos());
	}

	/**
	 * Returns how long the loop waits for an announcement that the server has recovered,
	 * before it makes a request anyway (E-21). Does not advance the sequence.
	 * @return the delay
	 */
	Duration longest() {
		return jittered(this.settings.max().toNanos());
	}

	/**
	 * Returns a random delay that is shorter than the first one, so that clients that
	 * lost the same server do not all reconnect at the same moment (E-07). Does not
	 * advance the sequence.
	 * @return the delay
	 */
	Duration scatter() {
		return Duration.ofNanos((long) (this.random.nextDouble() * this.settings.initial().toNanos()));
	}

	private Duration jittered(double delay) {
		// from d up to d + jitter * d; the next delay is computed without the
		// jitter
		double jitter = (this.settings.jitter() > 0) ? this.random.nextDouble() * this.settings.jitter() * delay : 0;
		return Duration.ofNanos((long) (delay + jitter));
	}

}
