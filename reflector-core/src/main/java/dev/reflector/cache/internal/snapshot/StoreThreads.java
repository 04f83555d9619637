package dev.reflector.cache.internal.snapshot;

import java.time.Duration;

import dev.reflector.cache.config.TimeSource;

/**
 * The threads that use the store of a reflector.
 *
 * @param commits announces, commits, and reads what there is no takeover for
 * @param takeovers reads what another process has stored; the same where there is only
 * one snapshot
 */
public record StoreThreads(StoreThread commits, StoreThread takeovers) {

	/**
	 * One thread for all.
	 * @param reflector the name of the reflector
	 * @param time source of time
	 */
	public static StoreThreads one(String reflector, TimeSource time) {
		StoreThread thread = new StoreThread(reflector, "snapshot-io", time);
		return new StoreThreads(thread, thread);
	}

	/**
	 * Two threads: what is stored of some slots does not wait until another is read.
	 * @param reflector the name of the reflector
	 * @param time source of time
	 */
	public static StoreThreads ofSlots(String reflector, TimeSource time) {
		return new StoreThreads(new StoreThread(reflector, "snapshot-io", time),
				new StoreThread(reflector, "takeover-io", time));
	}

	/** Nothing more is to come; see {@link StoreThread#end}. */
	void end(Duration bound) {
		this.takeovers.end(bound);
		if (this.commits != this.takeovers) {
			this.commits.end(bound);
		}
	}

}
