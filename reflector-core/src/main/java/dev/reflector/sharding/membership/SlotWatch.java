package dev.reflector.sharding.membership;

import java.util.BitSet;

import dev.reflector.sharding.Slots;
import org.jspecify.annotations.Nullable;

/**
 * Notices slots that lack something in every list for longer than a bound.
 */
final class SlotWatch {

	private final BitSet lacking = new BitSet();

	private final long[] since;

	private final long bound;

	private BitSet told = new BitSet();

	SlotWatch(Slots slots, long boundNanos) {
		this.since = new long[slots.count()];
		this.bound = boundNanos;
	}

	/**
	 * Takes over what a list has shown.
	 * @param lacks the slots that lack something
	 * @param now the time
	 * @return the slots that have lacked it for longer than the bound, {@code null} when
	 * they are those of the last time
	 */
	@Nullable BitSet check(BitSet lacks, long now) {
		BitSet overdue = new BitSet();
		lacks.stream().forEach((slot) -> {
			if (!this.lacking.get(slot)) {
				this.since[slot] = now;
			}
			if (now - this.since[slot] > this.bound) {
				overdue.set(slot);
			}
		});
		this.lacking.clear();
		this.lacking.or(lacks);
		if (overdue.equals(this.told)) {
			return null;
		}
		this.told = overdue;
		return overdue;
	}

}
