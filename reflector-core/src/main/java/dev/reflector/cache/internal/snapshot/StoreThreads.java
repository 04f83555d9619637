package dev.reflector.cache.internal.snapshot;

import java.time.Duration;

import dev.reflector.cache.config.TimeSource;

/**
 * The threads that use the store of a reflector.
 *
 * @param commits the thread that announces, commits, and reads except in takeovers
 * @param takeovers the thread that reads in takeovers what another process has stored;
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
	 * Creates two threads, so that commits to the snapshots of some slots need not wait
	 * until the snapshot of another slot is read.
	 * @param reflector the name of the reflector
	 * @param time source of time
	 */
	public static StoreThreads ofSlots(String reflector, TimeSource time) {
		return new StoreThreads(new StoreThread(reflector, "snapshot-io", time),
				new StoreThread(reflector, "takeover-io", time));
	}

	/**
	 * Ends both threads, because no more calls will come; see {@link StoreThread#end}.
	 */
	void end(Duration bound) {
		this.takeovers.end(bound);
		if (this.commits != this.takeovers) {
			this.commits.end(bound);
		}
	}

}
