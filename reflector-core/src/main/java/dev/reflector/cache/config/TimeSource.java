package dev.reflector.cache.config;

import java.time.Duration;
import java.time.Instant;

/**
 * The clock and timer of reflectors, which tests replace. Must be thread-safe.
 *
 * @since 0.1.0
 */
public interface TimeSource {

	/**
	 * The current time, for reports. Never used to measure durations.
	 * @return the time
	 */
	Instant now();

	/**
	 * A monotonic time, to measure durations.
	 * @return nanoseconds from an arbitrary origin
	 */
	long nanoTime();

	/**
	 * Runs a task once after a delay. The task must be short.
	 * @param delay the delay
	 * @param task the task
	 * @return cancels the task when run; does nothing once the task has started
	 */
	Runnable schedule(Duration delay, Runnable task);

}
