package dev.reflector.sharding.membership;

import java.util.BitSet;

import dev.reflector.sharding.Slots;

/**
 * Records for each slot the time since which it has continuously lacked something, such
 * as an owner.
 */
final class SlotTimes {

	private final BitSet lacking = new BitSet();

	private final long[] since;

	SlotTimes(Slots slots) {
		this.since = new long[slots.count()];
	}

	/** Records that a slot lacks nothing. */
	void clear(int slot) {
		this.lacking.clear(slot);
	}

	/** Records that a slot lacks something since a time. Keeps an earlier record. */
	void lacks(int slot, long since) {
		if (!this.lacking.get(slot)) {
			set(slot, since);
		}
	}

	/** Records that a slot lacks something since a time. Replaces an earlier record. */
	void set(int slot, long since) {
		this.lacking.set(slot);
		this.since[slot] = since;
	}

	void reset() {
		this.lacking.clear();
	}

	/**
	 * Returns the time since which a slot has lacked something, or {@code otherwise} if
	 * it lacks nothing.
	 */
	long since(int slot, long otherwise) {
		return this.lacking.get(slot) ? this.since[slot] : otherwise;
	}

	/** Returns all slots that lack something. */
	BitSet lacking() {
		return (BitSet) this.lacking.clone();
	}

	/** Returns the slots that have lacked something for longer than a bound. */
	BitSet lacking(long now, long bound) {
		BitSet overdue = new BitSet();
		this.lacking.stream().filter((slot) -> now - this.since[slot] > bound).forEach(overdue::set);
		return overdue;
	}

}
