package dev.reflector.sharding.membership;

import dev.reflector.sharding.ShardOwnership;

/**
 * One round of a membership: the write of this replica's Lease, and the list of all
 * Leases. When the list has been received, this record is used to decide which slots to
 * take and hand over.
 *
 * @param loop the loop that the round belongs to
 * @param written the epoch of the write, or {@link ShardOwnership#NOT_OWNED} if nothing
 * was written
 * @param listSentAt when the list was requested
 */
record Round(RoundLoop loop, long written, long listSentAt) {

	/** Whether the round has written the Lease, so that its list shows this write. */
	boolean hasWritten() {
		return this.written != ShardOwnership.NOT_OWNED;
	}

}
