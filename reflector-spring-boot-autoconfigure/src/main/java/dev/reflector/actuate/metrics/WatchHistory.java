package dev.reflector.actuate.metrics;

import java.time.Instant;

import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * What one watch of a namespace leaves to the next: how it has ended, and how far the
 * state is known. Any thread may use it.
 */
final class WatchHistory {

	private final TimeSource time;

	/** How the last watch has ended, {@code null} after a list. */
	private @Nullable WatchEnd last;

	/** Number of open watches: two while one takes over from the other. */
	private volatile int open;

	private volatile long progressAt;

	WatchHistory(TimeSource time) {
		this.time = time;
		this.progressAt = time.nanoTime();
	}

	/** A list begins: the watch after it is no reconnect. */
	synchronized void listing(boolean firstPage) {
		this.last = null;
		if (firstPage) {
			progressed();
		}
	}

	/** The server has told what has happened up to now. */
	void progressed() {
		this.progressAt = this.time.nanoTime();
	}

	/**
	 * The time up to which all created objects are known. An older object is not new.
	 * @return the time
	 */
	Instant knownUpTo() {
		return this.time.now().minusNanos(this.time.nanoTime() - this.progressAt);
	}

	/**
	 * A watch has been opened.
	 * @return how the watch before it has ended, {@code null} after a list
	 */
	synchronized @Nullable WatchEnd opened() {
		this.open++;
		WatchEnd before = this.last;
		this.last = null;
		return before;
	}

	/** A watch has ended. Its end counts only when no other watch is open. */
	synchronized void closed(WatchEnd end) {
		this.open--;
		if (this.open == 0) {
			this.last = end;
		}
	}

	/** Whether two watches are open, so that events arrive twice. */
	boolean isRepeated() {
		return this.open > 1;
	}

}
