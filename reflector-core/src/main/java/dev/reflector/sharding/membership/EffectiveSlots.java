package dev.reflector.sharding.membership;

import java.util.Arrays;

import dev.reflector.sharding.ShardOwnership;

/**
 * The slots that this replica owns until its Lease lapses. The array is never modified.
 *
 * @param epochs the epoch of each slot, or {@link ShardOwnership#NOT_OWNED} if the slot
 * is not owned
 * @param until when the Lease lapses unless it is renewed, in nanoseconds of the local
 * clock
 */
record EffectiveSlots(long[] epochs, long until) {

	static final EffectiveSlots NONE = new EffectiveSlots(new long[0], 0);

	boolean isValid(long now) {
		return this.epochs.length > 0 && now - this.until < 0;
	}

	int owned(long now) {
		return isValid(now)
				? (int) Arrays.stream(this.epochs).filter((epoch) -> epoch != ShardOwnership.NOT_OWNED).count() : 0;
	}

	long epoch(int slot, long now) {
		return isValid(now) ? this.epochs[slot] : ShardOwnership.NOT_OWNED;
	}

}
