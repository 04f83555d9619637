package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Limits how long the delivery of a batch of changes waits for the store. One deadline
 * covers all snapshots that the additions of the batch are stored in. Each part that the
 * store accepts extends the deadline. The end of the reflector ends the deadline, too.
 */
public final class AnnounceDeadline {

	private final StoreThread thread;

	private final BooleanSupplier stopping;

	private final long begun;

	AnnounceDeadline(StoreThread thread, BooleanSupplier stopping) {
		this.thread = thread;
		this.stopping = stopping;
		this.begun = thread.nanoTime();
	}

	/**
	 * Whether the deadline is over, because the store has accepted nothing for the given
	 * time or the reflector is ending.
	 * @param bound how long to wait for a store that accepts nothing
	 */
	boolean isOver(Duration bound) {
		return isEnding() || this.thread.isSilent(this.begun, bound);
	}

	/** Whether the reflector is ending. */
	boolean isEnding() {
		return this.stopping.getAsBoolean();
	}

}
