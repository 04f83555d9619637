package dev.reflector.sharding.membership;

import java.util.BitSet;

import dev.reflector.sharding.Slots;

/**
 * Since when slots have lacked something without a break.
 */
final class SlotTimes {

	private final BitSet lacking = new BitSet();

	private final long[] since;

	SlotTimes(Slots slots) {
		this.since = new long[slots.count()];
	}

	/** The slot lacks nothing. */
	void clear(int slot) {
		this.lacking.clear(slot);
	}

	/** The slot lacks something, at least since a time. */
	void lacks(int slot, long since) {
		if (!this.lacking.get(slot)) {
			set(slot, since);
		}
	}

	/** The slot lacks something since a time, whatever was known before. */
	void set(int slot, long since) {
		this.lacking.set(slot);
		this.since[slot] = since;
	}

	void reset() {
		this.lacking.clear();
	}

	/** Since when the slot lacks something, the given time if it does not. */
	long since(int slot, long otherwise) {
		return this.lacking.get(slot) ? this.since[slot] : otherwise;
	}

	/** All that lack something. */
	BitSet lacking() {
		return (BitSet) this.lacking.clone();
	}

	/** Those that have lacked something for longer than a bound. */
	BitSet lacking(long now, long bound) {
		BitSet overdue = new BitSet();
		this.lacking.stream().filter((slot) -> now - this.since[slot] > bound).forEach(overdue::set);
		return overdue;
	}

}
