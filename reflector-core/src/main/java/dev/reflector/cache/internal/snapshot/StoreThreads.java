package dev.reflector.cache.internal.snapshot;

import java.time.Duration;

import dev.reflector.cache.config.TimeSource;

/**
 * The threads that use the store of a reflector.
 *
 * @param commits the thread for all calls except takeovers
 * @param takeovers the thread for takeovers, which read what another process has stored;
 * the same thread if there is only one snapshot
 */
public record StoreThreads(StoreThread commits, StoreThread takeovers) {

	/**
	 * Creates one thread for all calls.
	 * @param reflector the name of the reflector
	 * @param time source of time
	 */
	public static StoreThreads one(String reflector, TimeSource time) {
		StoreThread thread = new StoreThread(reflector, "snapshot-io", time);
		return new StoreThreads(thread, thread);
	}

	/**
	 * Creates two threads, one for takeovers and one for all other calls, so that reading
	 * the snapshot of one slot does not delay commits to the snapshots of other slots.
	 * @param reflector the name of the reflector
	 * @param time source of time
	 */
	public static StoreThreads ofSlots(String reflector, TimeSource time) {
		return new StoreThreads(new StoreThread(reflector, "snapshot-io", time),
				new StoreThread(reflector, "takeover-io", time));
	}

	/**
	 * Ends both threads, because no more calls will follow; see {@link StoreThread#end}.
	 */
	void end(Duration bound) {
		this.takeovers.end(bound);
		if (this.commits != this.takeovers) {
			this.commits.end(bound);
		}
	}

}
