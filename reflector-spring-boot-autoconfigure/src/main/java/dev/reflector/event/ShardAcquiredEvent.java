package dev.reflector.event;

import dev.reflector.sharding.membership.ShardMembership;

/**
 * Published when this replica has become the owner of a slot. After this event, the
 * listeners of this replica receive all objects of the slot, and then the changes. With
 * durable mirrors, they receive only the changes that the listeners of the slot's
 * previous owner have not completed.
 *
 * @since 0.1.0
 */
public final class ShardAcquiredEvent extends ShardEvent {

	private final int slot;

	private final long epoch;

	/**
	 * Creates the event.
	 * @param membership the membership of this replica
	 * @param slot the slot, counted from 0
	 * @param epoch the epoch in which this replica owns the slot
	 */
	public ShardAcquiredEvent(ShardMembership membership, int slot, long epoch) {
		super(membership);
		this.slot = slot;
		this.epoch = epoch;
	}

	/**
	 * Returns the slot.
	 * @return number of the slot, counted from 0
	 */
	public int slot() {
		return this.slot;
	}

	/**
	 * Returns the epoch in which this replica owns the slot.
	 * @return a number that is larger than the epochs of all earlier owners of the slot
	 */
	public long epoch() {
		return this.epoch;
	}

	@Override
	public String toString() {
		return getClass().getSimpleName() + "[slot " + this.slot + ", epoch " + this.epoch + "]";
	}

}
