package dev.reflector.client.internal.frame;

import java.util.function.LongSupplier;

/**
 * How long a frame of a watch has been on its way: its beginning has come and its end has
 * not. Written by the thread that cuts the frames, read by any.
 */
public final class OpenFrame {

	private final LongSupplier nanoTime;

	/** Whether there is one, for the thread that cuts. */
	private boolean open;

	/** When it was first seen to be incomplete, for all others; 0 when there is none. */
	private volatile long since;

	/**
	 * No frame is open yet.
	 * @param nanoTime tells the time, as {@link System#nanoTime()} does
	 */
	public OpenFrame(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Takes note of what comes of bytes.
	 * @param open whether they end within a frame, which may be the one that was open
	 * before; {@code false} when a frame has come to its end
	 */
	public void is(boolean open) {
		if (open != this.open) {
			this.open = open;
			// one nanosecond is nothing here
			this.since = open ? (this.nanoTime.getAsLong() | 1) : 0;
		}
	}

	/**
	 * For how long a frame has been open.
	 * @return the time in nanoseconds, 0 when none is
	 */
	public long nanos() {
		long since = this.since;
		return (since != 0) ? Math.max(1, this.nanoTime.getAsLong() - since) : 0;
	}

}
