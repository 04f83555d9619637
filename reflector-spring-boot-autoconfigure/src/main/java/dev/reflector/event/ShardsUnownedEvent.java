package dev.reflector.event;

import java.util.Set;

import dev.reflector.sharding.membership.ShardMembership;

/**
 * Published when the set of undelivered slots has changed. A slot counts as undelivered
 * if no replica has delivered its objects for too long: it has no owner, or its owner
 * does not deliver, for example because a listener does not return. Every replica
 * publishes this event. This event may be published while listeners still handle the
 * events of single slots.
 *
 * @since 0.1.0
 */
public final class ShardsUnownedEvent extends ShardEvent {

	private final transient Set<Integer> slots;

	/**
	 * Creates the event.
	 * @param membership the membership of this replica
	 * @param slots all slots whose objects no replica has delivered for too long
	 */
	public ShardsUnownedEvent(ShardMembership membership, Set<Integer> slots) {
		super(membership);
		this.slots = slots;
	}

	/**
	 * Returns all slots whose objects no replica has delivered for too long.
	 * @return numbers of the slots, counted from 0; empty if every slot is delivered
	 * again
	 */
	public Set<Integer> slots() {
		return this.slots;
	}

	@Override
	public String toString() {
		return getClass().getSimpleName() + this.slots;
	}

}
