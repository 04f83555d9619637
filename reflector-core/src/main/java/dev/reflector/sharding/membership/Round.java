package dev.reflector.sharding.membership;

import dev.reflector.sharding.ShardOwnership;

/**
 * The facts of one round before the decision about its list.
 *
 * @param loop the loop of the round
 * @param written epoch of the write, {@link ShardOwnership#NOT_OWNED} when the write has
 * failed
 * @param listSentAt when the list was requested
 */
record Round(RoundLoop loop, long written, long listSentAt) {

	/** Whether the round has written, so that its list shows the write. */
	boolean hasWritten() {
		return this.written != ShardOwnership.NOT_OWNED;
	}

}
