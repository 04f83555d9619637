package dev.reflector.test.internal.server;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Takes a server down for some time. Any thread may call it. Outages run on a separate
 * thread: an outage waits until the event loops have ended, so it cannot run on an event
 * loop.
 */
final class Outages {

	private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, (task) -> {
		Thread thread = new Thread(task, "embedded-api-server-outage");
		thread.setDaemon(true);
		return thread;
	});

	private final Runnable down;

	private final Runnable refusing;

	private final Runnable up;

	private final AtomicInteger cancelled = new AtomicInteger();

	/**
	 * Creates the outages of a server.
	 * @param down breaks all connections and refuses new connections
	 * @param refusing refuses new connections
	 * @param up accepts new connections again
	 */
	Outages(Runnable down, Runnable refusing, Runnable up) {
		this.down = down;
		this.refusing = refusing;
		this.up = up;
	}

	/**
	 * Breaks all connections and refuses new connections for some time.
	 * @param duration how long to refuse connections
	 */
	void interrupt(Duration duration) {
		begin(this.down, duration);
	}

	/**
	 * Refuses new connections for some time.
	 * @param duration how long to refuse connections
	 * @param then runs as soon as new connections are refused
	 */
	void refuse(Duration duration, Runnable then) {
		begin(() -> {
			this.refusing.run();
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
	 * Begins an outage and schedules its end. Both happen under the lock, so that
	 * {@link #cancel()} cancels the end of every outage that has begun.
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
	 * Cancels outages that have not begun, and the ends of outages that have begun. So a
	 * server that is down stays down. If an outage is beginning or ending at the moment,
	 * waits until this is done.
	 */
	synchronized void cancel() {
		this.cancelled.incrementAndGet();
		this.executor.getQueue().clear();
	}

	/**
	 * Ends the thread of outages, without waiting for its end: an outage may be waiting
	 * for a lock that the caller holds.
	 */
	void close() {
		this.executor.shutdownNow();
	}

}
