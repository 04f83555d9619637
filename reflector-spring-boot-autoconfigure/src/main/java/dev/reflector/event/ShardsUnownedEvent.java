package dev.reflector.event;

import java.util.Set;

import dev.reflector.sharding.membership.ShardMembership;

/**
 * Other slots than before have had no owner in any replica for too long: nobody tells of
 * their changes. Published by every replica.
 *
 * @since 0.1.0
 */
public final class ShardsUnownedEvent extends ShardEvent {

	private final transient Set<Integer> slots;

	/**
	 * Creates the event.
	 * @param membership the replica
	 * @param slots all slots without an owner
	 */
	public ShardsUnownedEvent(ShardMembership membership, Set<Integer> slots) {
		super(membership);
		this.slots = slots;
	}

	/**
	 * All slots without an owner.
	 * @return their numbers, counted from 0; empty when each has one again
	 */
	public Set<Integer> slots() {
		return this.slots;
	}

	@Override
	public String toString() {
		return getClass().getSimpleName() + this.slots;
	}

}
