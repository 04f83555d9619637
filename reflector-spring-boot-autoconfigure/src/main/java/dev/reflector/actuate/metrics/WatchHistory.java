package dev.reflector.actuate.metrics;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.cache.config.TimeSource;

/**
 * Keeps the time up to which a reflector has received all objects created in a namespace.
 * The lists and all watches of the namespace update this time. Thread-safe.
 */
final class WatchHistory {

	private final TimeSource time;

	/**
	 * Number of open watches. There are two while a new watch takes over from the
	 * previous one.
	 */
	private final AtomicInteger open = new AtomicInteger();

	private volatile long progressAt;

	WatchHistory(TimeSource time) {
		this.time = time;
		this.progressAt = time.nanoTime();
	}

	/** Notes that a list begins, or that the server has sent an event. */
	void progressed() {
		this.progressAt = this.time.nanoTime();
	}

	/**
	 * Returns the time up to which the reflector has received all created objects. An
	 * object created before that time is not new.
	 * @return the time
	 */
	Instant knownUpTo() {
		return this.time.now().minusNanos(this.time.nanoTime() - this.progressAt);
	}

	/** Notes that a watch is requested. */
	void opened() {
		this.open.incrementAndGet();
	}

	/** Notes that a watch has ended. */
	void closed() {
		this.open.decrementAndGet();
	}

	/** Whether more than one watch is open. If so, each event arrives twice. */
	boolean isRepeated() {
		return this.open.get() > 1;
	}

}
