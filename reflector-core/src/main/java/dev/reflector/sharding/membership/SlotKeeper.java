package dev.reflector.sharding.membership;

import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

import dev.reflector.sharding.DesiredSlots;
import dev.reflector.sharding.ShardAssignment;
import dev.reflector.sharding.ShardOwnership;
import dev.reflector.sharding.membership.OwnSlots.OwnSlot;
import dev.reflector.sharding.membership.ShardCallbacks.ReleaseReason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a replica should own, what it owns, and what it knows of the others. Tells the
 * callbacks, but sends nothing. Guarded by the lock of the membership; only the questions
 * what is owned and desired are asked by any thread.
 */
final class SlotKeeper {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.sharding.membership.ShardMembership");

	private final ShardAssignment assignment;

	private final String identity;

	private final OwnLease lease;

	private final MembershipCallbacks callbacks;

	private final OwnSlots own;

	private final Observations others;

	private final MembershipWatch watch;

	/** What the others have, after the last list. */
	private SlotHolders holders;

	private volatile EffectiveSlots effective = EffectiveSlots.NONE;

	private volatile DesiredSlots desired = DesiredSlots.NONE;

	SlotKeeper(MemberStore store, ShardAssignment assignment, OwnLease lease, MembershipCallbacks callbacks,
			ShardMembershipConfig config) {
		this.assignment = assignment;
		this.identity = store.identity();
		this.lease = lease;
		this.callbacks = callbacks;
		this.own = new OwnSlots(assignment.slots(), this.identity);
		this.others = new Observations(this.identity);
		this.watch = new MembershipWatch(store, assignment.slots(), config.unownedAfter());
		this.holders = new SlotHolders(assignment.slots(), List.of());
	}

	EffectiveSlots effective() {
		return this.effective;
	}

	DesiredSlots desired() {
		return this.desired;
	}

	OwnSlots own() {
		return this.own;
	}

	Observations others() {
		return this.others;
	}

	/**
	 * Takes over a list.
	 * @param leases all Leases
	 * @param sentAt when the list was asked for
	 * @param now when it has come
	 * @return why this replica has lost its Lease, {@code null} when it has not
	 */
	@Nullable String observe(List<MemberLease> leases, long sentAt, long now) {
		this.others.observe(leases, this.lease.incarnation(), this.assignment.slots(), sentAt, now);
		this.holders = new SlotHolders(this.assignment.slots(), this.others.holding());
		return this.lease.find(leases, this.others);
	}

	/**
	 * Decides what to take and what to hand over, after a list.
	 * @param written epoch of the write before the list, {@link ShardOwnership#NOT_OWNED}
	 * when there was none that has succeeded
	 * @param drained called when no delivery of a slot is running
	 * @return whether there is something that the others should soon know
	 */
	boolean decide(long written, Consumer<OwnSlot> drained) {
		DesiredSlots next = this.assignment.desired(this.identity, this.others.live());
		desire(next);
		OwnSlots.Changes changes = this.own.decide(next, this.holders, written);
		if (!changes.acquired().isEmpty() || !changes.released().isEmpty()) {
			logger.info("{} takes {} slots and hands over {}", this.identity, changes.acquired().size(),
					changes.released().size());
			publish();
			changes.acquired().forEach(this.callbacks::acquired);
			changes.released().forEach((slot) -> this.callbacks.release(slot, drained));
		}
		return changes.toWrite();
	}

	/** Warns of slots without an owner, and the like. */
	void watch(long now) {
		BitSet unowned = this.watch.check(this.own.owned(), this.holders, this.desired,
				this.others.strangers(this.assignment.slots()), now);
		if (unowned != null) {
			this.callbacks.unowned(unowned);
		}
	}

	/** Owns what it owns until the Lease lapses that was just written. */
	void publish() {
		this.effective = new EffectiveSlots(this.own.epochs(), this.lease.until());
	}

	/** Begins to hand over everything. */
	void releaseAll(Consumer<OwnSlot> drained) {
		List<OwnSlot> released = this.own.releaseAll();
		if (!released.isEmpty()) {
			publish();
			released.forEach((slot) -> this.callbacks.release(slot, drained));
		}
	}

	/**
	 * The deliveries of a slot have ended.
	 * @return whether it was not lost before
	 */
	boolean drained(OwnSlot slot) {
		boolean released = this.own.drained(slot);
		if (released) {
			this.callbacks.released(slot, ReleaseReason.RELEASED);
		}
		return released;
	}

	/** Owns nothing from now on. */
	void loseAll() {
		this.lease.lapse();
		List<OwnSlot> lost = this.own.loseAll();
		this.effective = EffectiveSlots.NONE;
		lost.forEach((slot) -> this.callbacks.released(slot, ReleaseReason.LAPSED));
	}

	void desire(DesiredSlots next) {
		if (!next.equals(this.desired)) {
			this.desired = next;
			this.callbacks.desired(next);
		}
	}

}
