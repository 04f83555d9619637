package dev.reflector.sharding.membership;

import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.sharding.DesiredSlots;
import dev.reflector.sharding.ShardAssignment;
import dev.reflector.sharding.ShardOwnership;
import dev.reflector.sharding.Slots;

/**
 * One replica of a group that shares slots. It renews its Lease, reads the Leases of all
 * replicas, and takes, keeps and hands over slots according to the assignment. No slot is
 * owned by two replicas at once, and each slot has an owner again soon after any change.
 * <p>
 * To take a slot, a replica writes it into its Lease, and then reads all Leases: it owns
 * the slot when no other live replica has it. It hands a slot over by ending its
 * deliveries first, and then writing its Lease without the slot. A replica that does not
 * renew for the lease duration counts as dead; it stops owning slots when the renew
 * deadline has passed since it <em>sent</em> its last successful renewal.
 * <p>
 * Only local monotonic clocks count, and the promise holds while no clock runs faster
 * than another by the ratio of lease duration to renew deadline. Work that is in progress
 * when a process is paused continues after the pause, so give the {@linkplain #epoch
 * epoch} to systems that can refuse an old one. After a Lease of a live replica was
 * deleted, or the server restored from a backup while replicas are running, start no
 * other replicas within the lease duration, because these cannot know the Leases that no
 * longer exist.
 * <p>
 * Thread-safe. It can be started again after it has stopped.
 *
 * @since 0.1.0
 */
public final class ShardMembership implements ShardOwnership {

	private final MemberStore store;

	private final ShardAssignment assignment;

	private final TimeSource time;

	private final MembershipRounds rounds;

	private final SlotLifecycle lifecycle;

	/**
	 * Creates a replica that has not joined yet.
	 * @param store the Leases of the group
	 * @param assignment decides who should own which slot
	 * @param config the times
	 * @param callbacks receives the slots of this replica
	 * @param time clock and timer
	 * @param executor runs the callbacks
	 */
	public ShardMembership(MemberStore store, ShardAssignment assignment, ShardMembershipConfig config,
			ShardCallbacks callbacks, TimeSource time, Executor executor) {
		this(store, assignment, config, () -> MemberSettings.UNKNOWN, callbacks, time, executor);
	}

	/**
	 * Creates a replica that has not joined yet, and that takes no slots while others are
	 * configured differently.
	 * @param store the Leases of the group
	 * @param assignment decides who should own which slot
	 * @param config the times
	 * @param settings supplies the configuration that this replica writes into its Lease;
	 * called often
	 * @param callbacks receives the slots of this replica
	 * @param time clock and timer
	 * @param executor runs the callbacks
	 */
	public ShardMembership(MemberStore store, ShardAssignment assignment, ShardMembershipConfig config,
			Supplier<MemberSettings> settings, ShardCallbacks callbacks, TimeSource time, Executor executor) {
		this(store, assignment, config, settings, new MembershipCallbacks(callbacks, executor), time,
				new SplittableRandom());
	}

	ShardMembership(MemberStore store, ShardAssignment assignment, ShardMembershipConfig config,
			Supplier<MemberSettings> settings, MembershipCallbacks callbacks, TimeSource time, RandomGenerator random) {
		if (store.identity().isBlank()) {
			throw new IllegalArgumentException("the identity must not be empty");
		}
		this.store = store;
		this.assignment = assignment;
		this.time = time;
		this.rounds = new MembershipRounds(store, assignment, config, settings, callbacks, time, random);
		this.lifecycle = this.rounds.lifecycle();
	}

	/**
	 * Reads the Leases of the group without joining it. This shows which slots this
	 * replica should own when it joins, so that these can be mirrored before. Does
	 * nothing when this replica observes already, or is a member.
	 * @throws IllegalStateException while it leaves the group
	 */
	public void observe() {
		this.rounds.observe();
	}

	/**
	 * Joins the group. Does nothing when this replica is a member.
	 * @throws IllegalStateException while it leaves the group
	 */
	public void start() {
		this.rounds.start();
	}

	/**
	 * Leaves the group: hands over all slots as {@link ShardCallbacks#onRelease} allows
	 * it, and then writes to the Lease that it has left. The Lease is renewed until then,
	 * so the caller decides how long to wait, and calls {@link #abort()} when it takes
	 * too long.
	 * @return a stage that completes when the group was left, or when the last write has
	 * failed
	 */
	public CompletionStage<Void> stop() {
		return this.rounds.stop();
	}

	/**
	 * Stops at once, without informing the others. They take over when the Lease has
	 * expired. Does nothing when this replica is not a member.
	 */
	public void abort() {
		this.rounds.abort();
	}

	@Override
	public Slots slots() {
		return this.assignment.slots();
	}

	@Override
	public long epoch(int slot) {
		return this.lifecycle.epoch(slot, this.time);
	}

	/**
	 * Whether this replica is a member now, by its own clock, because its Lease is valid.
	 * @return whether it is a member; it may own no slots
	 */
	public boolean isMember() {
		return this.lifecycle.effective().isValid(this.time.nanoTime());
	}

	/**
	 * Returns the slots that this replica should own. It may mirror them, but not deliver
	 * them.
	 * @return the slots; while the server cannot be reached, the slots as they were
	 * before
	 */
	public DesiredSlots desired() {
		return this.lifecycle.desired();
	}

	/**
	 * Returns how many slots this replica owns now, by its own clock.
	 * @return the number
	 */
	public int owned() {
		return this.lifecycle.effective().owned(this.time.nanoTime());
	}

	/**
	 * Returns how many of its owned slots this replica delivers now.
	 * @return the number
	 */
	public int delivered() {
		Set<Integer> undelivered = undelivered();
		return (int) IntStream.range(0, slots().count())
			.filter((slot) -> isOwner(slot) && !undelivered.contains(slot))
			.count();
	}

	/**
	 * Whether this replica is not a member and not leaving, so that it can be started.
	 * @return whether it has stopped
	 */
	public boolean isStopped() {
		return this.rounds.isStopped();
	}

	/**
	 * Returns the group to which this replica belongs.
	 * @return namespace and name, human-readable
	 */
	public String group() {
		return this.store.describe();
	}

	/**
	 * Returns the identity of this replica.
	 * @return the identity
	 */
	public String identity() {
		return this.store.identity();
	}

	/**
	 * Returns the slots that, as far as this replica knows, no replica has delivered for
	 * longer than the configured time.
	 * @return the slots
	 */
	public Set<Integer> unowned() {
		return this.lifecycle.deliveries().unowned();
	}

	/**
	 * Returns the slots that, as far as this replica knows, no replica delivers at
	 * present. Slots that are just being handed over count, too.
	 * @return the slots
	 */
	public Set<Integer> undelivered() {
		return this.lifecycle.deliveries().undelivered();
	}

	/**
	 * Returns why this replica takes no slots: it is configured differently than replicas
	 * that have joined before.
	 * @return one of these replicas and the difference, empty when there is none
	 */
	public String conflict() {
		return this.lifecycle.conflict();
	}

	@Override
	public String toString() {
		return "ShardMembership[" + this.store.identity() + ", " + this.store.describe() + "]";
	}

}
