package dev.reflector.actuate.metrics;

import java.time.Instant;

import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of the watches of a namespace that is mirrored on its own, from one
 * to the next. Any thread may use it.
 */
final class WatchScope {

	private final TimeSource time;

	/** How the last watch has ended, unless a list was asked for since. */
	private @Nullable WatchEnd last;

	/** How many watches there are: while one takes over, two. */
	private volatile int open;

	private volatile long progressAt;

	WatchScope(TimeSource time) {
		this.time = time;
		this.progressAt = time.nanoTime();
	}

	/** What follows upon a full state is no reconnect. */
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
	 * Up to when it is known what has been created: at least what is older is no news.
	 * @return the time
	 */
	Instant knownUpTo() {
		return this.time.now().minusNanos(this.time.nanoTime() - this.progressAt);
	}

	/**
	 * Another watch is there.
	 * @return how the one before it has ended, or {@code null} when it follows upon none
	 */
	synchronized @Nullable WatchEnd opened() {
		this.open++;
		WatchEnd before = this.last;
		this.last = null;
		return before;
	}

	/** What is followed by a watch that is there already is no loss of a connection. */
	synchronized void closed(WatchEnd end) {
		this.open--;
		if (this.open == 0) {
			this.last = end;
		}
	}

	/** Of two watches, one repeats what the other has delivered. */
	boolean isRepeated() {
		return this.open > 1;
	}

}
