package dev.reflector.test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a fault may do to the whole server, from any thread. Outages have a thread of
 * their own: an event loop cannot wait for its own end.
 */
final class ServerControl {

	private final ObjectStore store;

	private final FaultScript faults;

	private final InstantSource clock;

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
	 * Makes the control.
	 * @param store the data
	 * @param faults the faults to come
	 * @param clock what time it is for the server
	 * @param down breaks off all connections and refuses new ones
	 * @param deaf refuses new connections
	 * @param up takes new connections again
	 */
	ServerControl(ObjectStore store, FaultScript faults, InstantSource clock, Runnable down, Runnable deaf,
			Runnable up) {
		this.store = store;
		this.faults = faults;
		this.clock = clock;
		this.down = down;
		this.deaf = deaf;
		this.up = up;
	}

	/**
	 * Forgets all history.
	 */
	void compact() {
		this.store.compact();
	}

	/**
	 * Goes back.
	 * @param backup to what
	 */
	void restore(Backup backup) {
		this.store.restore(backup);
	}

	/**
	 * What time it is for the server.
	 * @return the time
	 */
	Instant now() {
		return this.clock.instant();
	}

	/**
	 * Closes new connections as soon as they are accepted.
	 * @param connections how many of them
	 */
	void turnAway(int connections) {
		this.faults.turnAway(connections);
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
			// the server has been closed meanwhile
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
			// the server has been closed meanwhile
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

	/** Waits for nobody: the caller may be what an outage waits for. */
	void close() {
		this.executor.shutdownNow();
	}

}
