package dev.reflector.sharding;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Spreads slots over the live replicas by rendezvous hashing. When a replica joins, it
 * gets its share from all others; when one leaves, only its slots move. So each change
 * moves about 1/n of the slots, and moves no slot between two replicas that stay.
 * <p>
 * Shares are not exactly equal. With 8 slots per replica, the fullest of ten replicas has
 * about 1.6 times the average; with 16 slots 1.4 times, and with 32 slots 1.3 times. With
 * 4 slots per replica, one of ten replicas may have no slots. Use at least 16 slots per
 * replica at the largest number of replicas.
 *
 * @since 0.1.0
 */
public final class RendezvousAssignment implements ShardAssignment {

	private final Slots slots;

	/** The last result, which is often similar to the next one. */
	private volatile Answer last;

	/**
	 * Creates an assignment.
	 * @param slots the division into slots; all replicas must use the same number of
	 * slots
	 */
	public RendezvousAssignment(Slots slots) {
		this.slots = slots;
		this.last = new Answer(new DesiredOwners(slots.count()), "", DesiredSlots.NONE);
	}

	@Override
	public Slots slots() {
		return this.slots;
	}

	@Override
	public DesiredSlots desired(String identity, Set<String> live) {
		Answer last = this.last;
		DesiredOwners owners = last.owners().with(live);
		if (owners == last.owners() && last.identity().equals(identity)) {
			return last.slots();
		}
		DesiredSlots slots = owners.slotsOf(identity);
		this.last = new Answer(owners, identity, slots);
		return slots;
	}

	/**
	 * Returns who should own each slot.
	 * @param live identities of the live replicas
	 * @return the owner of each slot; {@code null} if there is no live replica
	 */
	public List<@Nullable String> owners(Set<String> live) {
		return this.last.owners().with(live).asList();
	}

	/**
	 * Whether the first of two members has the higher score for a slot.
	 * @param slot the slot
	 * @param member the first member
	 * @param other the second member
	 * @return whether the first member has the higher score
	 */
	public static boolean wins(int slot, String member, String other) {
		return DesiredOwners.wins(slot, member, other);
	}

	@Override
	public String toString() {
		return "rendezvous hashing of " + this.slots.count() + " slots";
	}

	private record Answer(DesiredOwners owners, String identity, DesiredSlots slots) {

	}

}
