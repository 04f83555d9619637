package dev.reflector.sharding;

import java.util.BitSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Gives each of a fixed number of replicas a fixed part of the slots. The slots of a
 * replica are neighbors.
 * <p>
 * With a {@code ShardMembership}, the replicas see in each other's Leases when one of
 * them is missing, when two have the same index, or when they do not agree on the number
 * of slots. Without a membership (see {@link #ownership()}), each replica can check only
 * its own settings: if four replicas run but are configured for eight, half of the slots
 * have no owner, and no replica notices.
 *
 * @param index the index of this replica, counted from 0
 * @param count the number of replicas
 * @param slots the division into slots; all replicas must use the same number of slots
 * @since 0.1.0
 */
public record StaticAssignment(int index, int count, Slots slots) implements ShardAssignment {

	private static final Pattern ORDINAL = Pattern.compile("[^.]*-(\\d{1,9})(?:\\..*)?");

	/**
	 * Checks that each replica has a slot.
	 * @throws IllegalArgumentException when the index is out of range, or when there are
	 * more replicas than slots
	 */
	public StaticAssignment {
		if (count < 1 || count > slots.count()) {
			throw new IllegalArgumentException("the number of replicas must be from 1 to the number of slots, "
					+ slots.count() + ", not " + count);
		}
		if (index < 0 || index >= count) {
			throw new IllegalArgumentException("the index of a replica must be from 0 to " + (count - 1)
					+ ", because there are " + count + " replicas, not " + index);
		}
	}

	/**
	 * Returns the ordinal of a replica of a StatefulSet, which is the number at the end
	 * of its host name.
	 * @param hostName the host name, such as {@code shop-3}, with or without a domain
	 * @return the ordinal
	 * @throws IllegalArgumentException when the name does not end with a number
	 */
	public static int ordinal(String hostName) {
		Matcher matcher = ORDINAL.matcher(hostName);
		if (!matcher.matches()) {
			throw new IllegalArgumentException("the host name '" + hostName
					+ "' does not end with a number, as those of a StatefulSet do (shop-3); set the index");
		}
		return Integer.parseInt(matcher.group(1));
	}

	/**
	 * Returns the slots of this replica.
	 * @return the slots
	 */
	public DesiredSlots desired() {
		BitSet own = new BitSet(this.slots.count());
		own.set(start(this.index), start(this.index + 1));
		return new DesiredSlots(own);
	}

	@Override
	public DesiredSlots desired(String identity, Set<String> live) {
		return desired();
	}

	private int start(int index) {
		return (int) ((long) index * this.slots.count() / this.count);
	}

	/**
	 * Returns an ownership of the slots of this replica that never ends and needs no
	 * Leases. Two replicas with the same index both deliver, and the epoch is always 0.
	 * @return the ownership
	 */
	public ShardOwnership ownership() {
		return new Fixed(this.slots, desired());
	}

	@Override
	public String toString() {
		return "replica " + this.index + " of " + this.count + " with " + this.slots.count() + " slots";
	}

	private record Fixed(Slots slots, DesiredSlots own) implements ShardOwnership {

		@Override
		public long epoch(int slot) {
			return this.own.contains(slot) ? 0 : NOT_OWNED;
		}

	}

}
