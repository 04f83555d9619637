package dev.reflector.event;

import java.util.Set;

import dev.reflector.sharding.membership.ShardMembership;

/**
 * Other slots than before have been delivered by no replica for too long: they have no
 * owner, or it does not deliver them, for example because a listener does not return.
 * Published by every replica, and never waits for events of slots.
 *
 * @since 0.1.0
 */
public final class ShardsUnownedEvent extends ShardEvent {

	private final transient Set<Integer> slots;

	/**
	 * Creates the event.
	 * @param membership the replica
	 * @param slots all slots that are not delivered
	 */
	public ShardsUnownedEvent(ShardMembership membership, Set<Integer> slots) {
		super(membership);
		this.slots = slots;
	}

	/**
	 * All slots that are not delivered.
	 * @return their numbers, counted from 0; empty when each is delivered again
	 */
	public Set<Integer> slots() {
		return this.slots;
	}

	@Override
	public String toString() {
		return getClass().getSimpleName() + this.slots;
	}

}
