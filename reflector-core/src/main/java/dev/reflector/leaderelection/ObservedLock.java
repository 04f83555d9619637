package dev.reflector.leaderelection;

import java.util.concurrent.TimeUnit;

/**
 * A version of the lock, and when this replica saw it first by its own monotonic clock.
 *
 * @param version the version
 * @param seenAt nanoseconds of the local clock
 */
record ObservedLock(ResourceLock.Version version, long seenAt) {

	LeaderElectionRecord record() {
		return this.version.record();
	}

	/**
	 * Whether this is a version of the lock. The number alone does not decide, because a
	 * server that was restored from a backup gives out versions again.
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
