package dev.reflector.client.internal.frame;

import java.util.function.LongSupplier;

/**
 * Measures how long a frame of a watch has been incomplete. Written by the decoding
 * thread, read by any.
 */
public final class OpenFrame {

	private final LongSupplier nanoTime;

	/** Whether a frame is incomplete; used only by the decoding thread. */
	private boolean open;

	/** When the frame was first seen to be incomplete; 0 when no frame is incomplete. */
	private volatile long since;

	/**
	 * Starts without an open frame.
	 * @param nanoTime the time, such as {@link System#nanoTime()}
	 */
	public OpenFrame(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Records whether the bytes so far end within a frame.
	 * @param open whether they end within a frame; {@code false} also between two frames
	 */
	public void set(boolean open) {
		if (open != this.open) {
			this.open = open;
			// 0 means closed, so it is avoided
			this.since = open ? (this.nanoTime.getAsLong() | 1) : 0;
		}
	}

	/**
	 * Returns how long a frame has been open.
	 * @return the time in nanoseconds, 0 when none is open
	 */
	public long nanos() {
		long since = this.since;
		return (since != 0) ? Math.max(1, this.nanoTime.getAsLong() - since) : 0;
	}

}
