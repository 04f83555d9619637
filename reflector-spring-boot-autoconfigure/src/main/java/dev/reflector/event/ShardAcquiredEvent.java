package dev.reflector.event;

import dev.reflector.sharding.membership.ShardMembership;

/**
 * This replica owns a slot from now on. Afterwards its listeners receive all objects of
 * the slot, or with durable mirrors what those of its previous owner have not received,
 * and then changes.
 *
 * @since 0.1.0
 */
public final class ShardAcquiredEvent extends ShardEvent {

	private final int slot;

	private final long epoch;

	/**
	 * Creates the event.
	 * @param membership the replica
	 * @param slot the slot, counted from 0
	 * @param epoch the epoch in which it is owned
	 */
	public ShardAcquiredEvent(ShardMembership membership, int slot, long epoch) {
		super(membership);
		this.slot = slot;
		this.epoch = epoch;
	}

	/**
	 * The slot.
	 * @return its number, counted from 0
	 */
	public int slot() {
		return this.slot;
	}

	/**
	 * The epoch in which the slot is owned.
	 * @return a number that is larger than those of all earlier owners of the slot
	 */
	public long epoch() {
		return this.epoch;
	}

	@Override
	public String toString() {
		return getClass().getSimpleName() + "[slot " + this.slot + ", epoch " + this.epoch + "]";
	}

}
