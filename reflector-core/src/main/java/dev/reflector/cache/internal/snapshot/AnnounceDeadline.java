package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Until when a batch of changes waits for the store before it is handed out, whichever
 * snapshots its additions are stored in. Each part that the store accepts extends it, and
 * the end of the reflector ends it.
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
	 * Whether the store has accepted nothing for as long as announcing waits, or the
	 * reflector ends.
	 * @param bound how long that is
	 */
	boolean isOver(Duration bound) {
		return isEnding() || this.thread.isSilent(this.begun, bound);
	}

	/** Whether the reflector ends. */
	boolean isEnding() {
		return this.stopping.getAsBoolean();
	}

}
