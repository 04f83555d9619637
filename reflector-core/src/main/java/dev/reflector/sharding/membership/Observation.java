package dev.reflector.sharding.membership;

import java.util.concurrent.TimeUnit;

/**
 * A version of a Lease, when this replica saw it first by its own monotonic clock, and
 * whether it has expired since.
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

	/** Returns when this version was seen first. */
	long seenAt() {
		return this.seenAt;
	}

	/**
	 * Whether this is a version of a Lease. The number alone does not decide, because a
	 * server that was restored from a backup gives out versions again.
	 */
	boolean isOf(MemberLease other) {
		return this.lease.resourceVersion().equals(other.resourceVersion()) && record().equals(other.record());
	}

	/**
	 * Notes that the Lease is unchanged in a list.
	 * @param sentAt when the list was requested. A list that was requested before the
	 * Lease expired shows nothing, because a renewal may have come after it
	 */
	void unchanged(long sentAt) {
		this.expired |= isOlderThan(1, sentAt);
	}

	/**
	 * Whether this version was seen at least that many lease durations before a list was
	 * requested.
	 */
	boolean isOlderThan(int leaseDurations, long sentAt) {
		long duration = TimeUnit.SECONDS.toNanos(record().leaseDurationSeconds());
		return sentAt - this.seenAt > leaseDurations * duration;
	}

	boolean isExpired() {
		return this.expired;
	}

	/** Whether the replica should own something. */
	boolean isLive() {
		return !this.expired && !record().leaving();
	}

	boolean isGone() {
		return this.expired || record().hasLeft();
	}

	/** Whether the replica owns something, as its Lease says. */
	boolean owns() {
		return !this.expired && record().held().values().stream().anyMatch((epoch) -> epoch > 0);
	}

	/** Whether the replica has joined before another one. */
	boolean hasJoinedBefore(long other) {
		return record().joined() < other && (record().joined() != 0 || other == Long.MAX_VALUE);
	}

	/** Whether the replica may own something. */
	boolean holds() {
		return !this.expired && !record().held().isEmpty();
	}

}
