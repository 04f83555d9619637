package dev.reflector.cache.internal.snapshot;

import java.util.concurrent.TimeUnit;

/**
 * Lets the thread that writes snapshots sleep, and any other thread wake it. The caller
 * has its own source of time, which may run faster than the clock that is used here. So a
 * timed sleep lasts at most 50 ms, and then the caller checks its time again.
 */
public final class Pauses {

	private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private boolean woken;

	/** Ends the pause in progress or, if there is none, the next pause. */
	public synchronized void end() {
		this.woken = true;
		notifyAll();
	}

	/**
	 * Sleeps until {@link #end()} is called, or a short while has passed. Returns at once
	 * if {@code end()} was called since the last pause.
	 * @param nanos the time until something is due, or {@link Long#MAX_VALUE} to sleep
	 * until {@code end()} is called
	 * @return whether {@code end()} was called
	 * @throws InterruptedException when the thread is interrupted
	 */
	public synchronized boolean await(long nanos) throws InterruptedException {
		if (!this.woken && nanos == Long.MAX_VALUE) {
			wait();
		}
		else if (!this.woken) {
			TimeUnit.NANOSECONDS.timedWait(this, Math.min(nanos, MOST_NANOS));
		}
		boolean woken = this.woken;
		this.woken = false;
		return woken;
	}

}
