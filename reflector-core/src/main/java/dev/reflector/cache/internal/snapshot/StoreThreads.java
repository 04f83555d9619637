package dev.reflector.cache.internal.snapshot;

import java.time.Duration;

import dev.reflector.cache.config.TimeSource;

/**
 * The threads that use the store of a reflector.
 *
 * @param commits the thread for everything but takeovers
 * @param takeovers the thread that reads what another process has stored; the same thread
 * when there is only one snapshot
 */
public record StoreThreads(StoreThread commits, StoreThread takeovers) {

	/**
	 * Creates one thread for all uses.
	 * @param reflector the name of the reflector
	 * @param time source of time
	 */
	public static StoreThreads one(String reflector, TimeSource time) {
		StoreThread thread = new StoreThread(reflector, "snapshot-io", time);
		return new StoreThreads(thread, thread);
	}

	/**
	 * Creates two threads, so that slots can be stored while another slot is read.
	 * @param reflector the name of the reflector
	 * @param time source of time
	 */
	public static StoreThreads ofSlots(String reflector, TimeSource time) {
		return new StoreThreads(new StoreThread(reflector, "snapshot-io", time),
				new StoreThread(reflector, "takeover-io", time));
	}

	/** Ends the threads; see {@link StoreThread#end}. */
	void end(Duration bound) {
		this.takeovers.end(bound);
		if (this.commits != this.takeovers) {
			this.commits.end(bound);
		}
	}

}
