package dev.reflector.test.internal.server;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Takes a server down for a while, when asked from any thread. Outages have their own
 * thread: an event loop cannot wait for its own end.
 */
final class Outages {

	private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, (task) -> {
		Thread thread = new Thread(task, "embedded-api-server-outage");
		thread.setDaemon(true);
		return thread;
	});

	private final Runnable down;

	private final Runnable deaf;

	private final Runnable up;

	private final AtomicInteger cancelled = new AtomicInteger();

	/**
	 * Makes one for a server.
	 * @param down breaks off all connections and refuses new ones
	 * @param deaf refuses new connections
	 * @param up takes new connections again
	 */
	Outages(Runnable down, Runnable deaf, Runnable up) {
		this.down = down;
		this.deaf = deaf;
		this.up = up;
	}

	/**
	 * Breaks off all connections and refuses new ones for a while.
	 * @param duration for how long
	 */
	void interrupt(Duration duration) {
		begin(this.down, duration);
	}

	/**
	 * Refuses new connections for a while.
	 * @param duration for how long
	 * @param then what to do once they are refused
	 */
	void refuse(Duration duration, Runnable then) {
		begin(() -> {
			this.deaf.run();
			then.run();
		}, duration);
	}

	private void begin(Runnable begin, Duration duration) {
		int before = this.cancelled.get();
		try {
			this.executor.execute(() -> outage(begin, duration, before));
		}
		catch (RejectedExecutionException ex) {
			// the server has been closed since
		}
	}

	/**
	 * As a whole: what has begun has an end that can be cancelled.
	 */
	private synchronized void outage(Runnable begin, Duration duration, int before) {
		if (this.cancelled.get() != before) {
			return;
		}
		begin.run();
		try {
			this.executor.schedule(() -> comeBack(before), duration.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			// the server has been closed since
		}
	}

	private synchronized void comeBack(int before) {
		if (this.cancelled.get() == before) {
			this.up.run();
		}
	}

	/**
	 * Leaves a server that is down as it is, and forgets outages that have not begun.
	 * Waits for one that is about to begin, or to end.
	 */
	synchronized void cancel() {
		this.cancelled.incrementAndGet();
		this.executor.getQueue().clear();
	}

	/** Does not wait: the caller may be what an outage waits for. */
	void close() {
		this.executor.shutdownNow();
	}

}
