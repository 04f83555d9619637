package dev.reflector.sharding.membership;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.internal.call.OncePerMinute;
import dev.reflector.sharding.DesiredSlots;
import dev.reflector.sharding.ShardAssignment;
import dev.reflector.sharding.ShardOwnership;
import dev.reflector.sharding.membership.OwnSlots.OwnSlot;
import dev.reflector.sharding.membership.ShardCallbacks.ReleaseReason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the slots that this replica should own, the slots that it owns, and what it has
 * seen of the Leases of the other replicas. Calls the callbacks, but makes no requests.
 * Guarded by the lock of the membership, except that any thread may query which slots are
 * owned and desired.
 */
final class SlotLifecycle {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.sharding.membership.ShardMembership");

	private final ShardAssignment assignment;

	private final String identity;

	private final OwnLease lease;

	private final MembershipCallbacks callbacks;

	private final OwnSlots own;

	private final Observations others;

	private final MembershipWatch watch;

	private final DeliveryWatch deliveries;

	private final ShardMembershipConfig config;

	private final Supplier<MemberSettings> settings;

	/**
	 * The replica whose settings keep this replica from taking slots, and the difference
	 * between the settings; empty if there is none.
	 */
	private volatile String conflict = "";

	private final OncePerMinute behind = new OncePerMinute();

	/** The slots of the other replicas, as of the last list. */
	private SlotHolders holders;

	private final AtomicReference<EffectiveSlots> effective = new AtomicReference<>(EffectiveSlots.NONE);

	/**
	 * The value that {@link #publish} expects in {@link #effective}. If a reader has
	 * found the Lease expired, that field has changed, and publishing fails.
	 */
	private EffectiveSlots published = EffectiveSlots.NONE;

	private volatile DesiredSlots desired = DesiredSlots.NONE;

	/** The desired slots that were last reported to the callbacks. */
	private @Nullable DesiredSlots told;

	SlotLifecycle(MemberStore store, ShardAssignment assignment, OwnLease lease, MembershipCallbacks callbacks,
			ShardMembershipConfig config, Supplier<MemberSettings> settings) {
		this.assignment = assignment;
		this.identity = store.identity();
		this.lease = lease;
		this.callbacks = callbacks;
		this.own = new OwnSlots(assignment.slots(), this.identity);
		this.others = new Observations(this.identity);
		this.watch = new MembershipWatch(store, assignment.slots(), config.unownedAfter());
		this.deliveries = new DeliveryWatch(store.describe(), assignment.slots(), config);
		this.config = config;
		this.settings = settings;
		this.holders = new SlotHolders(assignment.slots(), MemberSettings.UNKNOWN, List.of());
	}

	EffectiveSlots effective() {
		return this.effective.get();
	}

	/**
	 * Returns the epoch in which a slot is owned now. If a caller finds the Lease
	 * expired, this is final: a renewal that comes too late does not make the slots owned
	 * again.
	 */
	long epoch(int slot, TimeSource time) {
		while (true) {
			EffectiveSlots seen = this.effective.get();
			if (seen == EffectiveSlots.NONE) {
				return ShardOwnership.NOT_OWNED;
			}
			long now = time.nanoTime();
			if (seen.isValid(now)) {
				return seen.epoch(slot, now);
			}
			if (this.effective.compareAndSet(seen, EffectiveSlots.NONE)) {
				return ShardOwnership.NOT_OWNED;
			}
		}
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
	 * Processes a list of all Leases.
	 * @param leases all Leases
	 * @param sentAt when the list was requested
	 * @param now when the list was received
	 * @return why this replica has lost its Lease, or {@code null} if it has not
	 */
	@Nullable String observe(List<MemberLease> leases, long sentAt, long now) {
		MemberSettings settings = this.settings.get();
		this.own.versions().listed(leases);
		this.others.observe(leases, this.lease.incarnation(), this.assignment.slots(), settings, sentAt, now);
		this.own.observed(this.others.era());
		this.deliveries.listed(sentAt);
		this.holders = new SlotHolders(this.assignment.slots(), settings, this.others.holding());
		this.others.died().forEach((seen) -> this.deliveries.died(seen, this.holders));
		this.conflict = this.others.conflict(settings, this.own.ownsAny(), this.lease.joined());
		return this.lease.find(leases, this.others);
	}

	/**
	 * Decides which slots to take and which to hand over, after a list.
	 * @param round the round that has requested the list
	 * @param drained called when no delivery of a slot is running
	 * @param now the current time
	 * @return whether to write the Lease soon, so that the other replicas learn of
	 * changes
	 */
	boolean decide(Round round, Consumer<OwnSlot> drained, long now) {
		DesiredSlots next = desire();
		OwnSlots.Changes changes = this.own.decide(next, this.holders, this.lease.era(), round);
		if (!changes.acquired().isEmpty() || !changes.released().isEmpty()) {
			logger.info("{} takes over {} slots and hands over {}", this.identity, changes.acquired().size(),
					changes.released().size());
			publish();
			changes.acquired().forEach(this.callbacks::acquired);
			changes.released().forEach((slot) -> this.callbacks.release(slot, drained));
		}
		if (changes.behind() && this.behind.isDue(now)) {
			logger.warn("The resource versions of the server have decreased, to {}. Was it restored from a "
					+ "backup? New epochs are still greater than all earlier ones", round.written());
		}
		return changes.toWrite();
	}

	/** Warns of wrong configurations that a list has shown. */
	void watch(long now) {
		this.watch.check(this.holders, this.desired, this.others.strangers(this.assignment.slots()), now);
		this.watch.check(this.conflict, this.others.foreign(this.settings.get()));
		checkDeliveries(now);
	}

	/**
	 * Checks which slots are not delivered, and reports changes. Works without new lists,
	 * too.
	 */
	void checkDeliveries(long now) {
		Set<Integer> unowned = this.deliveries.check(this.own, this.callbacks.undelivered(), this.holders, now);
		if (unowned != null) {
			this.callbacks.unowned(unowned);
		}
	}

	/**
	 * Returns the replica whose settings keep this replica from taking slots, and the
	 * difference between the settings; empty if there is none.
	 */
	String conflict() {
		return this.conflict;
	}

	MemberSettings settings() {
		return this.settings.get();
	}

	DeliveryWatch deliveries() {
		return this.deliveries;
	}

	/** Returns the slots to mark as undelivered in the next write of the Lease. */
	Map<Integer, Duration> undelivered(long now) {
		checkDeliveries(now);
		return this.deliveries.marks(this.own.listing(), now);
	}

	/**
	 * Whether no list has been received for so long that the state of the other replicas
	 * is unknown.
	 */
	boolean isBlind(long now) {
		return this.deliveries.isBlind(now, this.config.renewDeadline());
	}

	/**
	 * Publishes the owned slots and the time until which they are owned.
	 * @return {@code false} if a reader has already found the Lease expired
	 */
	boolean publish() {
		EffectiveSlots next = new EffectiveSlots(this.own.epochs(), this.lease.until());
		boolean owned = this.effective.compareAndSet(this.published, next);
		this.published = owned ? next : this.published;
		return owned;
	}

	/**
	 * Begins to hand over all slots.
	 * @return whether there are slots to hand over
	 */
	boolean releaseAll(Consumer<OwnSlot> drained) {
		List<OwnSlot> released = this.own.releaseAll();
		if (!released.isEmpty()) {
			publish();
			released.forEach((slot) -> this.callbacks.release(slot, drained));
		}
		return !released.isEmpty();
	}

	/**
	 * Releases a slot because its deliveries have ended.
	 * @return {@code false} if the slot had already been lost
	 */
	boolean drained(OwnSlot slot) {
		boolean released = this.own.drained(slot);
		if (released) {
			this.callbacks.released(slot, ReleaseReason.RELEASED);
		}
		return released;
	}

	/**
	 * Drops all slots because the Lease has lapsed.
	 * @return whether slots were owned or were being released
	 */
	boolean loseAll() {
		this.lease.lapse();
		List<OwnSlot> lost = this.own.loseAll();
		this.published = EffectiveSlots.NONE;
		this.effective.set(EffectiveSlots.NONE);
		lost.forEach((slot) -> this.callbacks.released(slot, ReleaseReason.LAPSED));
		return !lost.isEmpty();
	}

	/**
	 * Computes which slots this replica should own among the live replicas, and reports
	 * changes.
	 */
	DesiredSlots desire() {
		DesiredSlots next = this.conflict.isEmpty() ? this.assignment.desired(this.identity, this.others.live())
				: DesiredSlots.NONE;
		desire(next);
		return next;
	}

	void desire(DesiredSlots next) {
		this.desired = next;
		if (!Objects.equals(next, this.told)) {
			this.told = next;
			this.callbacks.desired(next);
		}
	}

	/**
	 * Begins a run. The first set of desired slots is reported even if it is empty.
	 */
	void begin(long now) {
		this.told = null;
		this.deliveries.begin(now);
	}

	/** Ends a run, and clears what was derived from the other replicas' Leases. */
	void end() {
		this.deliveries.end();
		this.conflict = "";
		this.watch.check("", List.of());
		desire(DesiredSlots.NONE);
	}

}
