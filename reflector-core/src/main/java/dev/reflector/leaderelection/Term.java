package dev.reflector.leaderelection;

import dev.reflector.cache.config.TimeSource;

/** A term of this replica, until it is renewed. */
final class Term {

	private final TimeSource time;

	private final long epoch;

	private final long until;

	private volatile boolean over;

	/**
	 * Creates a term.
	 * @param time the local clock
	 * @param epoch its number
	 * @param until when it ends unless it is renewed, in nanoseconds of the local clock
	 */
	Term(TimeSource time, long epoch, long until) {
		this.time = time;
		this.epoch = epoch;
		this.until = until;
	}

	long epoch() {
		return this.epoch;
	}

	/** A term that was seen to be over once is no longer renewed. */
	boolean isOver() {
		if (this.time.nanoTime() - this.until >= 0) {
			this.over = true;
		}
		return this.over;
	}

	/** Whether {@link #isOver()} has answered so. */
	boolean wasSeenOver() {
		return this.over;
	}

}
