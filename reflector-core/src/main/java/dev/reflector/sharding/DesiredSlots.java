package dev.reflector.sharding;

import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * The slots that a replica <em>should</em> own. The replica may mirror them, but it may
 * deliver only the slots that it owns according to its {@link ShardOwnership}. Immutable.
 *
 * @since 0.1.0
 */
public final class DesiredSlots {

	/** No slots. */
	public static final DesiredSlots NONE = new DesiredSlots(new BitSet());

	private final BitSet numbers;

	/** Creates a set of these numbers. The caller must not change them afterwards. */
	DesiredSlots(BitSet numbers) {
		this.numbers = numbers;
	}

	/**
	 * Makes a set of slots.
	 * @param slots the slots, counted from 0
	 * @return the set
	 */
	public static DesiredSlots of(Collection<Integer> slots) {
		BitSet numbers = new BitSet();
		slots.forEach(numbers::set);
		return new DesiredSlots(numbers);
	}

	/**
	 * Whether this set contains a slot.
	 * @param slot the slot, counted from 0
	 * @return whether the set contains it
	 */
	public boolean contains(int slot) {
		return this.numbers.get(slot);
	}

	/**
	 * Returns the number of slots.
	 * @return the number of slots
	 */
	public int size() {
		return this.numbers.cardinality();
	}

	/**
	 * Returns the slots as a set, for {@link Slots#selector}.
	 * @return the slots in order, unmodifiable
	 */
	public Set<Integer> toSet() {
		Set<Integer> set = new TreeSet<>();
		this.numbers.stream().forEach(set::add);
		return Collections.unmodifiableSet(set);
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof DesiredSlots slots && slots.numbers.equals(this.numbers);
	}

	@Override
	public int hashCode() {
		return this.numbers.hashCode();
	}

	@Override
	public String toString() {
		return this.numbers.toString();
	}

}
