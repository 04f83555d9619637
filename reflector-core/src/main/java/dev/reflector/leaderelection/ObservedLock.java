package dev.reflector.leaderelection;

import java.util.concurrent.TimeUnit;

/**
 * A version of the lock, with the time at which this replica first saw it, by its own
 * monotonic clock.
 *
 * @param version the version
 * @param seenAt nanoseconds of the local clock
 */
record ObservedLock(ResourceLock.Version version, long seenAt) {

	LeaderElectionRecord record() {
		return this.version.record();
	}

	/**
	 * Whether another version of the lock is the same as this one. The resourceVersion
	 * alone is not enough, because a server that was restored from a backup may assign
	 * the same one again.
	 */
	boolean isOf(ResourceLock.Version other) {
		return this.version.resourceVersion().equals(other.resourceVersion()) && record().equals(other.record());
	}

	/**
	 * Whether the holder may still lead.
	 * @param now nanoseconds of the local clock
	 * @param defaultSeconds the lease duration to use when the record names none
	 */
	boolean isHeld(long now, long defaultSeconds) {
		int seconds = record().leaseDurationSeconds();
		return !record().holderIdentity().isEmpty()
				&& now - this.seenAt <= TimeUnit.SECONDS.toNanos((seconds > 0) ? seconds : defaultSeconds);
	}

}
