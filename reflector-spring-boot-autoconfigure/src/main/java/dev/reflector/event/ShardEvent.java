package dev.reflector.event;

import dev.reflector.sharding.membership.ShardMembership;

/**
 * An event about slots that the replicas divide among themselves. Events of one slot are
 * published one after the other, in the order in which they happened. Until the listeners
 * of such an event have returned, the objects of the slot are not delivered, and the next
 * owner of the slot waits. Events of different slots may be published at the same time,
 * on a few threads, so a listener must be thread-safe. If a listener throws an exception,
 * the exception is logged, and the other listeners are still called.
 *
 * @since 0.1.0
 */
public abstract sealed class ShardEvent extends DeliveredEvent
		permits ShardAcquiredEvent, ShardReleasedEvent, ShardsUnownedEvent {

	ShardEvent(ShardMembership membership) {
		super(membership);
	}

	/**
	 * Returns the identity of this replica.
	 * @return the identity
	 */
	public String identity() {
		return ((ShardMembership) getSource()).identity();
	}

}
