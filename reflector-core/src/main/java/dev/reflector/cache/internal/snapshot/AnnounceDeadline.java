package dev.reflector.cache.internal.snapshot;

import java.time.Duration;

/**
 * Until when a batch of changes waits for the store before it is handed out, whichever
 * snapshots its additions are stored in. Each part that the store accepts extends it.
 */
public final class AnnounceDeadline {

	private final StoreThread thread;

	private final long begun;

	AnnounceDeadline(StoreThread thread) {
		this.thread = thread;
		this.begun = thread.nanoTime();
	}

	/**
	 * Whether the store has accepted nothing for as long as announcing waits.
	 * @param bound how long that is
	 */
	boolean isSilent(Duration bound) {
		return this.thread.isSilent(this.begun, bound);
	}

}
