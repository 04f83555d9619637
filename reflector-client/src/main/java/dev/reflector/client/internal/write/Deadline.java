package dev.reflector.client.internal.write;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Until when a call may take.
 *
 * @param timeout how long it may take from its begin
 * @param end when that is over, by {@link System#nanoTime()}
 */
record Deadline(Duration timeout, long end) {

	static Deadline in(Duration timeout) {
		return new Deadline(timeout, System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout));
	}

	/** What is left, zero when it has passed. */
	Duration left() {
		return Duration.ofNanos(Math.max(0, this.end - System.nanoTime()));
	}

	boolean hasPassed() {
		return left().isZero();
	}

	/** Whether it will have passed after a pause. */
	boolean isBefore(Duration pause) {
		return pause.compareTo(left()) >= 0;
	}

	/** The end of a shorter time, if that is earlier. */
	Deadline orIn(Duration timeout) {
		return isBefore(timeout) ? this : in(timeout);
	}

}
