package dev.reflector.event;

import dev.reflector.sharding.membership.ShardCallbacks.ReleaseReason;
import dev.reflector.sharding.membership.ShardMembership;

/**
 * This replica has given up a slot, or has lost it. Its listeners receive nothing more of
 * the objects of the slot, and no deletion.
 *
 * @since 0.1.0
 */
public final class ShardReleasedEvent extends ShardEvent {

	private final int slot;

	private final long epoch;

	private final ReleaseReason reason;

	/**
	 * Creates the event.
	 * @param membership the replica
	 * @param slot the slot, counted from 0
	 * @param epoch the epoch in which it was owned
	 * @param reason why it is no longer owned
	 */
	public ShardReleasedEvent(ShardMembership membership, int slot, long epoch, ReleaseReason reason) {
		super(membership);
		this.slot = slot;
		this.epoch = epoch;
		this.reason = reason;
	}

	/**
	 * The slot.
	 * @return its number, counted from 0
	 */
	public int slot() {
		return this.slot;
	}

	/**
	 * The epoch in which the slot was owned.
	 * @return the epoch
	 */
	public long epoch() {
		return this.epoch;
	}

	/**
	 * Why the slot is no longer owned. When it has lapsed, a call of a listener may still
	 * be running.
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
