package dev.reflector.cache.internal.loop;

import java.time.Duration;

import dev.reflector.cache.config.TimeSource;

/**
 * The time window in which internal errors of watches do not lead to a new list
 * (client-go: {@code RetryWithDeadline}, rule R-65). It begins with the first error of a
 * series; a minute without an error ends the series. Not thread-safe.
 */
final class RetryWithDeadline {

	private static final Duration SERIES_ENDS_AFTER = Duration.ofMinutes(1);

	private final Duration window;

	private final TimeSource time;

	private boolean open;

	private long first;

	private long last;

	RetryWithDeadline(Duration window, TimeSource time) {
		this.window = window;
		this.time = time;
	}

	/** Forgets all errors. */
	void reset() {
		this.open = false;
	}

	/**
	 * Notes an error.
	 * @param failure the error
	 * @return whether the loop may continue without a new list
	 */
	boolean after(Failure failure) {
		boolean internal = failure.status() != null && (failure.status().isInternalError() || failure.malformed());
		if (this.window.isZero() || !internal) {
			return false;
		}
		long now = this.time.nanoTime();
		if (!this.open || now - this.last >= SERIES_ENDS_AFTER.toNanos()) {
			this.open = true;
			this.first = now;
		}
		this.last = now;
		if (now - this.first <= this.window.toNanos()) {
			return true;
		}
		this.open = false;
		return false;
	}

}
