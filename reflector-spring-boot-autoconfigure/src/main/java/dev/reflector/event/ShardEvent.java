package dev.reflector.event;

import dev.reflector.sharding.membership.ShardMembership;

import org.springframework.context.ApplicationEvent;

/**
 * Something that this replica has learned about the slots that the replicas divide among
 * them. Published on one thread at a time, in the order of what has happened: a listener
 * returns soon, because the next slots wait for it.
 *
 * @since 0.1.0
 */
public abstract sealed class ShardEvent extends ApplicationEvent
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
