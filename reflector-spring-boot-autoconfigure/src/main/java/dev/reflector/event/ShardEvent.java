package dev.reflector.event;

import dev.reflector.sharding.membership.ShardMembership;

/**
 * Something that this replica has learned about the slots that the replicas divide among
 * them. Events of one slot are published one after the other, in the order of what has
 * happened: the objects of the slot, or its next owner, wait for the listener. Events of
 * different slots are published at the same time, on a few threads, so a listener must be
 * thread-safe. When a listener throws, that is logged, and the listeners after it are
 * still called.
 *
 * @since 0.1.0
 */
public abstract sealed class ShardEvent extends DeliveredEvent
		permits ShardAcquiredEvent, ShardReleasedEvent, ShardsUnownedEvent {

	ShardEvent(ShardMembership membership) {
		super(membership);
	}

	/**
	 * Who this replica is.
	 * @return its identity
	 */
	public String identity() {
		return ((ShardMembership) getSource()).identity();
	}

}
