package dev.reflector.cache.internal.call;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Limits a log line to one per minute. Thread-safe.
 */
public final class OncePerMinute {

	private static final long MINUTE = Duration.ofMinutes(1).toNanos();

	private @Nullable Long loggedAt;

	private int omitted;

	private int omittedBefore;

	/**
	 * Returns the limit of a line about one of several subjects. Creates it if necessary.
	 */
	static OncePerMinute of(Map<String, OncePerMinute> limits, String subject) {
		return limits.computeIfAbsent(subject, (name) -> new OncePerMinute());
	}

	/**
	 * Whether the line may be logged now. If {@code true}, the caller must log the line.
	 * @param now the current time, in nanoseconds
	 * @return {@code false} within a minute after this method has last returned
	 * {@code true}
	 */
	public synchronized boolean isDue(long now) {
		if (this.loggedAt != null && now - this.loggedAt < MINUTE) {
			this.omitted++;
			return false;
		}
		this.loggedAt = now;
		this.omittedBefore = this.omitted;
		this.omitted = 0;
		return true;
	}

	/** Whether this limit has no effect any more, so that it need not be kept. */
	synchronized boolean isOver(long now) {
		return this.loggedAt == null || now - this.loggedAt >= MINUTE;
	}

	/**
	 * Returns the number of lines that were omitted between the last two logged lines.
	 */
	public synchronized int omitted() {
		return this.omittedBefore;
	}

}
