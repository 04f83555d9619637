package dev.reflector.actuate.metrics;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.cache.config.TimeSource;

/**
 * What one watch of a namespace leaves to the next: how far the state is known. Any
 * thread may use it.
 */
final class WatchHistory {

	private final TimeSource time;

	/** Number of open watches: two while one takes over from the other. */
	private final AtomicInteger open = new AtomicInteger();

	private volatile long progressAt;

	WatchHistory(TimeSource time) {
		this.time = time;
		this.progressAt = time.nanoTime();
	}

	/** A list begins, or the server has sent an event. */
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

	/** A watch is requested. */
	void opened() {
		this.open.incrementAndGet();
	}

	/** A watch has ended. */
	void closed() {
		this.open.decrementAndGet();
	}

	/** Whether two watches are open, so that events arrive twice. */
	boolean isRepeated() {
		return this.open.get() > 1;
	}

}
