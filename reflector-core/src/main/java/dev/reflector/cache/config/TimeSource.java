package dev.reflector.cache.config;

import java.time.Duration;
import java.time.Instant;

/**
 * The clock and timer of reflectors. Tests can replace it. Must be thread-safe.
 *
 * @since 0.1.0
 */
public interface TimeSource {

	/**
	 * Returns the current time, for reports. It is not used to measure durations.
	 * @return the time
	 */
	Instant now();

	/**
	 * Returns a monotonic time, to measure durations.
	 * @return nanoseconds from an arbitrary origin
	 */
	long nanoTime();

	/**
	 * Runs a task once after a delay. The task must be short.
	 * @param delay the delay
	 * @param task the task
	 * @return an action that cancels the task; it does nothing if the task has already
	 * started
	 */
	Runnable schedule(Duration delay, Runnable task);

}
