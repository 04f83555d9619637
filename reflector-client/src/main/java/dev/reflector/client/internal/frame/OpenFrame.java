package dev.reflector.client.internal.frame;

import java.util.function.LongSupplier;

/**
 * Measures how long a frame of a watch has been incomplete. Only the decoding thread sets
 * the state. Any thread can read it.
 */
public final class OpenFrame {

	private final LongSupplier nanoTime;

	/** Whether a frame is incomplete; used only by the decoding thread. */
	private boolean open;

	/**
	 * The time since which the frame has been incomplete, or 0 if no frame is incomplete.
	 */
	private volatile long since;

	/**
	 * Creates a measurement without an open frame.
	 * @param nanoTime the clock, such as {@link System#nanoTime()}
	 */
	public OpenFrame(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Records whether the bytes that have arrived end within a frame.
	 * @param open {@code true} within a frame, {@code false} between two frames
	 */
	public void set(boolean open) {
		if (open != this.open) {
			this.open = open;
			// never 0, because 0 means that no frame is open
			this.since = open ? (this.nanoTime.getAsLong() | 1) : 0;
		}
	}

	/**
	 * Returns how long a frame has been open.
	 * @return the time in nanoseconds, or 0 if no frame is open
	 */
	public long nanos() {
		long since = this.since;
		return (since != 0) ? Math.max(1, this.nanoTime.getAsLong() - since) : 0;
	}

}
