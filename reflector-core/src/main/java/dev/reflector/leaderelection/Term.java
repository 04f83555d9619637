package dev.reflector.leaderelection;

import dev.reflector.cache.config.TimeSource;

/**
 * A term in which this replica leads. Each renewal replaces this instance by a new one.
 */
final class Term {

	private final TimeSource time;

	private final long epoch;

	private final long until;

	private volatile boolean over;

	/**
	 * Creates a term.
	 * @param time the local clock
	 * @param epoch the number of the term
	 * @param until when the term ends unless it is renewed, in nanoseconds of the local
	 * clock
	 */
	Term(TimeSource time, long epoch, long until) {
		this.time = time;
		this.epoch = epoch;
		this.until = until;
	}

	long epoch() {
		return this.epoch;
	}

	/**
	 * Whether the term is over. Once this method has returned {@code true}, the term is
	 * no longer renewed.
	 */
	boolean isOver() {
		if (this.time.nanoTime() - this.until >= 0) {
			this.over = true;
		}
		return this.over;
	}

	/** Whether {@link #isOver()} has returned {@code true} before. */
	boolean wasSeenOver() {
		return this.over;
	}

}
