package dev.reflector.client.internal.write;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The time limit of a call.
 *
 * @param timeout the longest duration of the call
 * @param end the time at which the limit is reached, by {@link System#nanoTime()}
 */
record Deadline(Duration timeout, long end) {

	static Deadline in(Duration timeout) {
		return new Deadline(timeout, System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout));
	}

	/** Returns the remaining time, or zero if the limit is reached. */
	Duration left() {
		return Duration.ofNanos(Math.max(0, this.end - System.nanoTime()));
	}

	boolean hasPassed() {
		return left().isZero();
	}

	/**
	 * Returns whether the limit will be reached before the end of a pause that begins
	 * now.
	 */
	boolean isBefore(Duration pause) {
		return pause.compareTo(left()) >= 0;
	}

	/** Returns the earlier of this limit and the end of a given time from now. */
	Deadline orIn(Duration timeout) {
		return isBefore(timeout) ? this : in(timeout);
	}

}
