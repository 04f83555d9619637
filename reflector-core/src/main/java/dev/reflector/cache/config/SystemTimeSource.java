package dev.reflector.cache.config;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The clock of the machine, and a timer. Tasks run on one daemon thread,
 * {@code reflector-timer}, which starts with the first task and ends when this source is
 * closed.
 *
 * @since 0.1.0
 */
public final class SystemTimeSource implements TimeSource, AutoCloseable {

	private final ScheduledThreadPoolExecutor timer;

	/** Creates the source. Starts no thread. */
	public SystemTimeSource() {
		this.timer = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "reflector-timer");
			thread.setDaemon(true);
			return thread;
		});
		this.timer.setRemoveOnCancelPolicy(true);
	}

	@Override
	public Instant now() {
		return Instant.now();
	}

	@Override
	public long nanoTime() {
		return System.nanoTime();
	}

	@Override
	public Runnable schedule(Duration delay, Runnable task) {
		long nanos = TimeUnit.NANOSECONDS.convert(delay);
		Future<?> scheduled = this.timer.schedule(task, nanos, TimeUnit.NANOSECONDS);
		return () -> scheduled.cancel(false);
	}

	/**
	 * Ends the thread. Tasks that have not started yet are dropped.
	 */
	@Override
	public void close() {
		this.timer.shutdownNow();
	}

}
