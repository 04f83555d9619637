package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The time limit up to which a batch of changes waits for the store before it is handed
 * out, in whichever snapshots its additions are stored. Each part that the store accepts
 * extends the limit, and the end of the reflector ends the wait.
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
	 * @param bound how long announcing waits
	 */
	boolean isOver(Duration bound) {
		return isEnding() || this.thread.isSilent(this.begun, bound);
	}

	/** Whether the reflector ends. */
	boolean isEnding() {
		return this.stopping.getAsBoolean();
	}

}
