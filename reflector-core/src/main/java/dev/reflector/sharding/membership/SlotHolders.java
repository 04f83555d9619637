package dev.reflector.sharding.membership;

import java.util.BitSet;
import java.util.List;

import dev.reflector.sharding.RendezvousAssignment;
import dev.reflector.sharding.Slots;
import org.jspecify.annotations.Nullable;

/**
 * Which other replicas have which slots in their Leases, after one list.
 */
final class SlotHolders {

	private final @Nullable Holder[] holders;

	/** Slots that others own, as far as is known: what is only claimed is not. */
	private final BitSet owned;

	private boolean foreignOwned;

	private int foreignClaims;

	SlotHolders(Slots slots, List<Observation> holding) {
		this.holders = new @Nullable Holder[slots.count()];
		this.owned = new BitSet(slots.count());
		for (Observation seen : holding) {
			boolean same = seen.record().slots().equals(slots);
			seen.record().held().forEach((slot, epoch) -> {
				if (same) {
					this.holders[slot] = new Holder(seen.lease().identity(), epoch, this.holders[slot]);
					if (epoch > 0) {
						this.owned.set(slot);
					}
				}
				else if (epoch > 0) {
					this.foreignOwned = true;
				}
				else {
					this.foreignClaims = Math.max(this.foreignClaims, seen.record().slots().count());
				}
			});
		}
	}

	boolean isHeld(int slot) {
		return this.holders[slot] != null;
	}

	/** Whether one of those that have the slot beats a member, by their scores. */
	boolean beats(int slot, String member) {
		for (Holder holder = this.holders[slot]; holder != null; holder = holder.next()) {
			if (RendezvousAssignment.wins(slot, holder.identity(), member)) {
				return true;
			}
		}
		return false;
	}

	BitSet owned() {
		return this.owned;
	}

	/** The largest epoch that is known of a slot, 0 without one. */
	long epoch(int slot) {
		long epoch = 0;
		for (Holder holder = this.holders[slot]; holder != null; holder = holder.next()) {
			epoch = Math.max(epoch, holder.epoch());
		}
		return epoch;
	}

	/**
	 * Whether replicas with another number of slots have some: then nobody can say which
	 * hashes are free.
	 */
	boolean isForeign() {
		return this.foreignOwned || this.foreignClaims > 0;
	}

	/** Of claims in different numbers of slots, those in the larger number win. */
	boolean isForeignFirst(Slots slots) {
		return this.foreignOwned || this.foreignClaims > slots.count();
	}

	/** One of those that have a slot, and the others. */
	private record Holder(String identity, long epoch, @Nullable Holder next) {

	}

}
