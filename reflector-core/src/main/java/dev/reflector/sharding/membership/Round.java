package dev.reflector.sharding.membership;

import dev.reflector.sharding.ShardOwnership;

/**
 * Facts about one round, for the decision that follows the list of the round.
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
