package dev.reflector.sharding.membership;

import java.util.BitSet;

import dev.reflector.sharding.Slots;

/**
 * Records for each slot since when it has lacked something, such as an owner, without a
 * break.
 */
final class SlotTimes {

	private final BitSet lacking = new BitSet();

	private final long[] since;

	SlotTimes(Slots slots) {
		this.since = new long[slots.count()];
	}

	/** Notes that a slot lacks nothing. */
	void clear(int slot) {
		this.lacking.clear(slot);
	}

	/** Notes that a slot lacks something. A time that was noted before stays. */
	void lacks(int slot, long since) {
		if (!this.lacking.get(slot)) {
			set(slot, since);
		}
	}

	/** Notes since when a slot has lacked something. Replaces a time noted before. */
	void set(int slot, long since) {
		this.lacking.set(slot);
		this.since[slot] = since;
	}

	void reset() {
		this.lacking.clear();
	}

	/** Returns since when a slot lacks something, or the given time if it does not. */
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
