package dev.reflector.sharding.membership;

import java.util.concurrent.TimeUnit;

/**
 * A version of another replica's Lease, with the time at which this replica first saw it,
 * by its own monotonic clock, and whether it has expired since then.
 */
final class Observation {

	private final MemberLease lease;

	private final long seenAt;

	private boolean expired;

	Observation(MemberLease lease, long seenAt) {
		this.lease = lease;
		this.seenAt = seenAt;
	}

	MemberLease lease() {
		return this.lease;
	}

	MemberRecord record() {
		return this.lease.record();
	}

	/** Returns the time at which this version was first seen. */
	long seenAt() {
		return this.seenAt;
	}

	/**
	 * Whether another version of the Lease is the same as this one. The resourceVersion
	 * alone is not enough, because a server that was restored from a backup may assign
	 * the same one again.
	 */
	boolean isOf(MemberLease other) {
		return this.lease.resourceVersion().equals(other.resourceVersion()) && record().equals(other.record());
	}

	/**
	 * Notes that a list contains this version unchanged. The version expires if it is old
	 * enough.
	 * @param sentAt when the list was requested. This time is compared, not the current
	 * time, because the replica may have renewed its Lease after the request
	 */
	void unchanged(long sentAt) {
		this.expired |= isOlderThan(1, sentAt);
	}

	/**
	 * Whether this version was first seen more than {@code leaseDurations} lease
	 * durations before a list was requested.
	 */
	boolean isOlderThan(int leaseDurations, long sentAt) {
		long duration = TimeUnit.SECONDS.toNanos(record().leaseDurationSeconds());
		return sentAt - this.seenAt > leaseDurations * duration;
	}

	boolean isExpired() {
		return this.expired;
	}

	/** Whether the replica is live, so that slots are assigned to it. */
	boolean isLive() {
		return !this.expired && !record().leaving();
	}

	boolean isGone() {
		return this.expired || record().hasLeft();
	}

	/** Whether the replica owns slots. Claimed slots do not count. */
	boolean owns() {
		return !this.expired && record().held().values().stream().anyMatch((epoch) -> epoch > 0);
	}

	/**
	 * Whether the replica joined before the one whose {@link MemberRecord#joined()} is
	 * {@code other}.
	 */
	boolean hasJoinedBefore(long other) {
		return record().joined() < other && (record().joined() != 0 || other == Long.MAX_VALUE);
	}

	/** Whether the replica owns or claims slots. */
	boolean holds() {
		return !this.expired && !record().held().isEmpty();
	}

}
