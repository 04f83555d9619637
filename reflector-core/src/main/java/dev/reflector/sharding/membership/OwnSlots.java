package dev.reflector.sharding.membership;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.reflector.sharding.DesiredSlots;
import dev.reflector.sharding.ShardOwnership;
import dev.reflector.sharding.Slots;
import org.jspecify.annotations.Nullable;

/**
 * The slots that this replica claims, owns or releases, and therefore lists in its Lease.
 * Guarded by the lock of the membership.
 */
final class OwnSlots {

	/**
	 * A number larger than any version of a server. If the versions decrease, the epochs
	 * of all slots continue above the next multiple of this number. So no epoch is used
	 * twice, even if no Lease shows its first use.
	 */
	private static final long ERA = 1L << 48;

	private final Slots slots;

	private final String identity;

	private final @Nullable OwnSlot[] entries;

	private final long[] lastEpochs;

	private final ServerVersions versions = new ServerVersions();

	/**
	 * The number that is added to epochs: a multiple of {@link #ERA}, taken from the
	 * largest known epoch of any slot. No epoch is used before the Lease contains its
	 * era, so the next owner of a slot always sees the era.
	 */
	private long era;

	OwnSlots(Slots slots, String identity) {
		this.slots = slots;
		this.identity = identity;
		this.entries = new @Nullable OwnSlot[slots.count()];
		this.lastEpochs = new long[slots.count()];
	}

	/** Notes the era in the Lease of another replica. */
	void observed(long era) {
		this.era = Math.max(this.era, era);
	}

	long era() {
		return this.era;
	}

	/**
	 * Returns the recorded versions of the server, which show whether the server was
	 * restored.
	 */
	ServerVersions versions() {
		return this.versions;
	}

	/**
	 * Decides which slots to claim, acquire and release, after a list.
	 * @param desired the slots that this replica should own
	 * @param others the slots of the other replicas
	 * @param writtenEra the era in the Lease of this replica
	 * @param round the round that has requested the list
	 * @return the acquired slots, and the slots to release
	 */
	Changes decide(DesiredSlots desired, SlotHolders others, long writtenEra, Round round) {
		Changes changes = new Changes(new ArrayList<>(), new ArrayList<>());
		for (int slot = 0; slot < this.entries.length; slot++) {
			this.lastEpochs[slot] = Math.max(this.lastEpochs[slot], others.epoch(slot));
			this.era = Math.max(this.era, this.lastEpochs[slot] - this.lastEpochs[slot] % ERA);
		}
		for (int slot = 0; slot < this.entries.length; slot++) {
			OwnSlot entry = this.entries[slot];
			if (entry == null) {
				if (desired.contains(slot) && !others.isHeld(slot) && !others.isForeign()) {
					this.entries[slot] = new OwnSlot(slot);
					changes.toWrite = true;
				}
			}
			else if (entry.phase == Phase.CLAIMED) {
				confirm(entry, desired.contains(slot), others, writtenEra, round, changes);
			}
			else if (entry.phase == Phase.OWNED && !desired.contains(slot)) {
				entry.phase = Phase.RELEASING;
				changes.released().add(entry);
			}
		}
		return changes;
	}

	/**
	 * Makes a claimed slot an owned one, if a list that was requested after the write of
	 * the claim shows no other holder. Drops the claim if another replica has priority or
	 * the slot is no longer desired.
	 */
	private void confirm(OwnSlot claim, boolean desired, SlotHolders others, long writtenEra, Round round,
			Changes changes) {
		int slot = claim.slot;
		if (!desired || others.beats(slot, this.identity) || others.isForeignFirst(this.slots)) {
			this.entries[slot] = null;
			changes.toWrite = true;
		}
		else if (round.hasWritten() && !others.isHeld(slot) && !others.isForeign()) {
			if (this.versions.takeWentBack() || this.era + round.written() <= this.lastEpochs[slot]) {
				// the server was restored, so there may be larger epochs that this
				// replica has not seen
				this.era += ERA;
				changes.behind = true;
			}
			if (writtenEra < this.era) {
				changes.toWrite = true;
				return;
			}
			claim.phase = Phase.OWNED;
			claim.epoch = this.era + round.written();
			this.lastEpochs[slot] = claim.epoch;
			changes.acquired().add(claim);
		}
	}

	/** Drops all claims, and returns the owned slots, which must be released. */
	List<OwnSlot> releaseAll() {
		List<OwnSlot> released = new ArrayList<>();
		for (OwnSlot entry : this.entries) {
			if (entry != null && entry.phase == Phase.CLAIMED) {
				this.entries[entry.slot] = null;
			}
			else if (entry != null && entry.phase == Phase.OWNED) {
				entry.phase = Phase.RELEASING;
				released.add(entry);
			}
		}
		return released;
	}

	/**
	 * Drops all slots at once, and returns those that were owned or were being released.
	 */
	List<OwnSlot> loseAll() {
		List<OwnSlot> lost = new ArrayList<>();
		for (OwnSlot entry : this.entries) {
			if (entry != null && entry.phase != Phase.CLAIMED) {
				lost.add(entry);
			}
		}
		Arrays.fill(this.entries, null);
		return lost;
	}

	/**
	 * Drops a slot because its deliveries have ended.
	 * @return {@code false} if the slot had already been lost
	 */
	boolean drained(OwnSlot entry) {
		if (this.entries[entry.slot] != entry) {
			return false;
		}
		this.entries[entry.slot] = null;
		return true;
	}

	boolean isEmpty() {
		return Arrays.stream(this.entries).allMatch((entry) -> entry == null);
	}

	/** Returns the slots to write into the Lease, each with its epoch. */
	Map<Integer, Long> listing() {
		Map<Integer, Long> listing = new TreeMap<>();
		for (OwnSlot entry : this.entries) {
			if (entry != null) {
				listing.put(entry.slot, entry.epoch);
			}
		}
		return listing;
	}

	boolean ownsAny() {
		return Arrays.stream(this.entries).anyMatch((entry) -> entry != null && entry.phase == Phase.OWNED);
	}

	/** Whether a slot is owned, and the callback that announced it has returned. */
	boolean isAcquired(int slot) {
		OwnSlot entry = this.entries[slot];
		return entry != null && entry.phase == Phase.OWNED && entry.acquiredIsKnown;
	}

	/**
	 * Whether a slot is in the Lease of this replica, but is not delivered yet or is no
	 * longer delivered.
	 */
	boolean isInTransit(int slot) {
		OwnSlot entry = this.entries[slot];
		return entry != null && !isAcquired(slot);
	}

	long[] epochs() {
		long[] epochs = new long[this.entries.length];
		Arrays.fill(epochs, ShardOwnership.NOT_OWNED);
		for (OwnSlot entry : this.entries) {
			if (entry != null && entry.phase == Phase.OWNED) {
				epochs[entry.slot] = entry.epoch;
			}
		}
		return epochs;
	}

	private enum Phase {

		CLAIMED, OWNED, RELEASING

	}

	/** A slot that this replica claims, owns or is releasing. */
	static final class OwnSlot {

		private final int slot;

		private Phase phase = Phase.CLAIMED;

		private long epoch;

		private volatile boolean acquiredIsKnown;

		private OwnSlot(int slot) {
			this.slot = slot;
		}

		int slot() {
			return this.slot;
		}

		long epoch() {
			return this.epoch;
		}

		/** Notes that the callback about the acquired slot has returned. */
		void acquiredIsKnown() {
			this.acquiredIsKnown = true;
		}

	}

	/** The changes that a decision has made. */
	static final class Changes {

		private final List<OwnSlot> acquired;

		private final List<OwnSlot> released;

		private boolean toWrite;

		private boolean behind;

		private Changes(List<OwnSlot> acquired, List<OwnSlot> released) {
			this.acquired = acquired;
			this.released = released;
		}

		List<OwnSlot> acquired() {
			return this.acquired;
		}

		List<OwnSlot> released() {
			return this.released;
		}

		/** Whether the versions of the server have decreased. */
		boolean behind() {
			return this.behind;
		}

		/**
		 * Whether to write the Lease soon, so that the other replicas learn of the
		 * changes.
		 */
		boolean toWrite() {
			return this.toWrite;
		}

	}

}
