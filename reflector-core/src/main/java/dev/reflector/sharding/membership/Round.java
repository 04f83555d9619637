package dev.reflector.sharding.membership;

import dev.reflector.sharding.ShardOwnership;

/**
 * What one round has done before its list is decided upon.
 *
 * @param loop the rounds that it belongs to
 * @param written epoch of its write, {@link ShardOwnership#NOT_OWNED} when that has
 * failed
 * @param listSentAt when its list was asked for
 */
record Round(RoundLoop loop, long written, long listSentAt) {

	/** Whether the list shows what was written before it. */
	boolean hasWritten() {
		return this.written != ShardOwnership.NOT_OWNED;
	}

}
