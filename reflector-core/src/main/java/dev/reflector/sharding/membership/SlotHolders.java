package dev.reflector.sharding.membership;

import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.reflector.sharding.RendezvousAssignment;
import dev.reflector.sharding.Slots;
import org.jspecify.annotations.Nullable;

/** The slots that other replicas have in their Leases, as of one list. */
final class SlotHolders {

	/**
	 * Marks a delivered slot, in place of the time since which the slot has not been
	 * delivered.
	 */
	private static final long DELIVERED = Long.MAX_VALUE;

	private final @Nullable Holder[] holders;

	/** The slots that other replicas own. A slot that is only claimed is not owned. */
	private final BitSet owned;

	/**
	 * The deliveries of other replicas, by the number of slots into which they divide the
	 * hashes.
	 */
	private final Map<Integer, Deliveries> deliveries = new HashMap<>();

	private boolean foreignOwned;

	private int foreignClaims;

	SlotHolders(Slots slots, MemberSettings settings, List<Observation> holding) {
		this.holders = new @Nullable Holder[slots.count()];
		this.owned = new BitSet(slots.count());
		for (Observation seen : holding) {
			boolean same = seen.record().slots().equals(slots) && !settings.conflictsWith(seen.record().settings());
			Deliveries deliveries = this.deliveries.computeIfAbsent(seen.record().slots().count(), Deliveries::new);
			seen.record().held().forEach((slot, epoch) -> {
				if (epoch > 0) {
					deliveries.add(slot, seen);
				}
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

	/**
	 * Whether one of the holders of a slot has a higher score for the slot than a member.
	 */
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

	/**
	 * Returns whether other replicas own and deliver a slot. Replicas with a different
	 * number of slots count as well.
	 */
	Delivery delivery(int slot) {
		Delivery best = Delivery.NO_OWNER;
		for (Deliveries deliveries : this.deliveries.values()) {
			Delivery delivery = deliveries.of(slot, this.holders.length);
			best = delivery.isBetterThan(best) ? delivery : best;
		}
		return best;
	}

	/** Returns the largest known epoch of a slot, 0 if there is none. */
	long epoch(int slot) {
		long epoch = 0;
		for (Holder holder = this.holders[slot]; holder != null; holder = holder.next()) {
			epoch = Math.max(epoch, holder.epoch());
		}
		return epoch;
	}

	/**
	 * Whether slots are owned or claimed by replicas with a different number of slots or
	 * with conflicting settings. If so, it is unknown which slots are free.
	 */
	boolean isForeign() {
		return this.foreignOwned || this.foreignClaims > 0;
	}

	/**
	 * Whether the replicas that {@link #isForeign} checks have priority over this
	 * replica: they own slots, or they claim slots and divide the hashes into more slots
	 * than {@code slots}.
	 */
	boolean isForeignFirst(Slots slots) {
		return this.foreignOwned || this.foreignClaims > slots.count();
	}

	/**
	 * A replica that owns or claims a slot, with a link to the next holder of the slot.
	 */
	private record Holder(String identity, long epoch, @Nullable Holder next) {

	}

	/**
	 * The state of a slot at the other replicas.
	 *
	 * @param owned whether another replica owns the slot
	 * @param since the time since which the owner has not delivered the slot, or
	 * {@link #DELIVERED} if it delivers the slot
	 */
	record Delivery(boolean owned, long since) {

		private static final Delivery NO_OWNER = new Delivery(false, 0);

		boolean isDelivered() {
			return this.owned && this.since == DELIVERED;
		}

		private boolean isBetterThan(Delivery other) {
			return isDelivered() || this.owned && !other.owned;
		}

	}

	/**
	 * The deliveries of all replicas that divide the hashes into a certain number of
	 * slots.
	 */
	private static final class Deliveries {

		private final BitSet owned;

		private final long[] since;

		private Deliveries(int slots) {
			this.owned = new BitSet(slots);
			this.since = new long[slots];
			Arrays.fill(this.since, DELIVERED);
		}

		private void add(int slot, Observation seen) {
			Duration age = seen.record().undelivered().get(slot);
			this.owned.set(slot);
			this.since[slot] = (age != null) ? seen.seenAt() - age.toNanos() : DELIVERED;
		}

		/**
		 * Returns the state of a slot in a division into {@code count} slots. The slot
		 * counts as delivered only if all of its hashes are delivered.
		 */
		private Delivery of(int slot, int count) {
			int all = this.since.length;
			int first = (int) ((long) slot * all / count);
			int last = (int) (((long) (slot + 1) * all - 1) / count);
			if (this.owned.nextClearBit(first) <= last) {
				return Delivery.NO_OWNER;
			}
			long oldest = DELIVERED;
			for (int i = first; i <= last; i++) {
				boolean older = this.since[i] != DELIVERED && (oldest == DELIVERED || this.since[i] - oldest < 0);
				oldest = older ? this.since[i] : oldest;
			}
			return new Delivery(true, oldest);
		}

	}

}
