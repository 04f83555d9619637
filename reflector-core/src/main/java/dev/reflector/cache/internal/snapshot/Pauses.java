package dev.reflector.cache.internal.snapshot;

import java.util.concurrent.TimeUnit;

/**
 * Lets the thread that writes snapshots sleep, and any other thread wake it. A source of
 * time that is not used here decides what is due. Therefore a long sleep ends early, so
 * that the thread checks the time again.
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
	 * Sleeps until {@link #end()} is called or has been called since the last pause, or a
	 * while has passed.
	 * @param nanos the time that is left until something is due, {@link Long#MAX_VALUE}
	 * to sleep until {@code end()}
	 * @return whether it was woken
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
