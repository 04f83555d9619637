package dev.reflector.cache.config;

import java.time.Duration;
import java.time.Instant;

/**
 * Gives reflectors the time, so that tests can move it. May be used by several threads.
 *
 * @since 0.1.0
 */
public interface TimeSource {

	/**
	 * The present time of day, for reports. Never used to measure.
	 * @return the time
	 */
	Instant now();

	/**
	 * A monotonic time, to measure with.
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
