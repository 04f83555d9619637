package dev.reflector.event;

import dev.reflector.sharding.membership.ShardCallbacks.ReleaseReason;
import dev.reflector.sharding.membership.ShardMembership;

/**
 * Published when this replica has given up a slot or has lost it. The listeners of this
 * replica receive no more changes of the objects of the slot, and no deletions of these
 * objects.
 *
 * @since 0.1.0
 */
public final class ShardReleasedEvent extends ShardEvent {

	private final int slot;

	private final long epoch;

	private final ReleaseReason reason;

	/**
	 * Creates the event.
	 * @param membership the membership of this replica
	 * @param slot the slot, counted from 0
	 * @param epoch the epoch in which this replica owned the slot
	 * @param reason why this replica no longer owns the slot
	 */
	public ShardReleasedEvent(ShardMembership membership, int slot, long epoch, ReleaseReason reason) {
		super(membership);
		this.slot = slot;
		this.epoch = epoch;
		this.reason = reason;
	}

	/**
	 * Returns the slot.
	 * @return number of the slot, counted from 0
	 */
	public int slot() {
		return this.slot;
	}

	/**
	 * Returns the epoch in which this replica owned the slot.
	 * @return the epoch
	 */
	public long epoch() {
		return this.epoch;
	}

	/**
	 * Returns why this replica no longer owns the slot. If the reason is that the
	 * ownership has lapsed, a call of a listener may still be running.
	 * @return the reason
	 */
	public ReleaseReason reason() {
		return this.reason;
	}

	@Override
	public String toString() {
		return getClass().getSimpleName() + "[slot " + this.slot + ", epoch " + this.epoch + ", " + this.reason + "]";
	}

}
