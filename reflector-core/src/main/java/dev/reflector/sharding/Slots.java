package dev.reflector.sharding;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * Divides all hashes into a fixed number of equal parts. All replicas of an application
 * must use the same number of parts, because each number divides the hashes differently.
 *
 * @param count the number of slots, from 1 to {@value #MAX}
 * @since 0.1.0
 */
public record Slots(int count) {

	/**
	 * The largest number of slots. A replica that owns all of them can still write them
	 * into the annotations of its Lease, for which the server accepts 256 KB.
	 */
	public static final int MAX = 8192;

	/**
	 * Checks the number.
	 * @throws IllegalArgumentException when it is out of range
	 */
	public Slots {
		if (count < 1 || count > MAX) {
			throw new IllegalArgumentException("the number of slots must be from 1 to " + MAX + ", not " + count);
		}
	}

	/**
	 * Returns the slot of a value. Allocates nothing.
	 * @param value the value of the field by which objects are sharded
	 * @return the slot, counted from 0
	 */
	public int slotOf(String value) {
		return slotOfHash(ShardHash.of(value));
	}

	/**
	 * Returns the slot of a hash. Allocates nothing.
	 * @param hash the hash, unsigned
	 * @return the slot, counted from 0
	 */
	public int slotOfHash(long hash) {
		// the upper half of the unsigned product of hash and count
		return (int) (Math.multiplyHigh(hash, this.count) + (hash >> 63 & this.count));
	}

	/**
	 * Returns the hashes of a slot.
	 * @param slot the slot, counted from 0
	 * @return the range of these hashes
	 * @throws IllegalArgumentException when there is no such slot
	 */
	public ShardRange range(int slot) {
		return range(slot, slot);
	}

	private ShardRange range(int first, int last) {
		return ShardRange.of(start(require(first)), start(require(last) + 1));
	}

	/**
	 * Returns a selector of slots. Neighboring slots form one range.
	 * @param field the field that is hashed
	 * @param slots the slots, at least one
	 * @return the selector
	 * @throws IllegalArgumentException when there is no such slot, or when there are no
	 * slots, because a selector without ranges would select everything
	 */
	public ShardSelector selector(ShardField field, Collection<Integer> slots) {
		if (slots.isEmpty()) {
			throw new IllegalArgumentException("a selector cannot select nothing");
		}
		List<ShardRange> ranges = new ArrayList<>();
		TreeSet<Integer> sorted = new TreeSet<>(slots);
		int first = sorted.first();
		int last = first;
		for (int slot : sorted) {
			if (slot > last + 1) {
				ranges.add(range(first, last));
				first = slot;
			}
			last = slot;
		}
		ranges.add(range(first, last));
		return new ShardSelector(field, ranges);
	}

	/** Returns the first hash of a slot, or 0 after the last slot. */
	private long start(int slot) {
		BigInteger count = BigInteger.valueOf(this.count);
		return BigInteger.valueOf(slot)
			.shiftLeft(Long.SIZE)
			.add(count.subtract(BigInteger.ONE))
			.divide(count)
			.longValue();
	}

	/**
	 * Checks a slot.
	 * @param slot the slot, counted from 0
	 * @return the slot
	 * @throws IllegalArgumentException when there is no such slot
	 */
	public int require(int slot) {
		if (slot < 0 || slot >= this.count) {
			throw new IllegalArgumentException("there is no slot " + slot + " of " + this.count);
		}
		return slot;
	}

}
