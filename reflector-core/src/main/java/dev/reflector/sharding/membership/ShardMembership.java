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
 * replicas, and takes, keeps and hands over slots according to the assignment. Two
 * replicas never own the same slot at once. After any change, each slot soon has an owner
 * again.
 * <p>
 * To take a slot, a replica writes the slot into its Lease and then reads all Leases. It
 * owns the slot if no other live replica has the slot in its Lease. To hand over a slot,
 * a replica first ends the slot's deliveries, and then writes its Lease without the slot.
 * A replica whose Lease is not renewed for the lease duration counts as dead. It stops
 * owning slots earlier, when the renew deadline has passed since it <em>sent</em> its
 * last successful renewal.
 * <p>
 * All times are measured with local monotonic clocks. The promise holds unless one clock
 * runs faster than another by the ratio of lease duration to renew deadline. If a process
 * is paused, its work in progress continues after the pause, even if another replica owns
 * the slot by then. So pass the {@linkplain #epoch epoch} to systems that can reject an
 * old one. If a Lease of a live replica was deleted, or the server was restored from a
 * backup while replicas are running, start no other replicas within the lease duration,
 * because new replicas cannot see the Leases that no longer exist.
 * <p>
 * Thread-safe. A membership can be started again after it has stopped.
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
	 * Creates a membership of a replica that has not joined yet.
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
	 * Creates a membership of a replica that has not joined yet, and that takes no slots
	 * while replicas with conflicting settings have priority.
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
	 * replica should own when it joins, so that they can be mirrored in advance. Does
	 * nothing if this replica is already observing the group, or is a member of it.
	 * @throws IllegalStateException while this replica leaves the group
	 */
	public void observe() {
		this.rounds.observe();
	}

	/**
	 * Joins the group. Does nothing when this replica is a member.
	 * @throws IllegalStateException while this replica leaves the group
	 */
	public void start() {
		this.rounds.start();
	}

	/**
	 * Leaves the group: hands over each slot when {@link ShardCallbacks#onRelease} has
	 * completed, and then records in its Lease that this replica has left the group.
	 * Until then, the Lease is renewed. The caller decides how long to wait, and calls
	 * {@link #abort()} if it takes too long.
	 * @return a stage that completes when this replica has left the group, or when the
	 * attempts to record this in its Lease have failed
	 */
	public CompletionStage<Void> stop() {
		return this.rounds.stop();
	}

	/**
	 * Stops at once, without informing the other replicas. They take over when the Lease
	 * has expired. Does nothing when this replica is not a member.
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
	 * Whether this replica is a member now: its Lease is valid by its own clock.
	 * @return whether this replica is a member; {@code true} even if it owns no slots
	 */
	public boolean isMember() {
		return this.lifecycle.effective().isValid(this.time.nanoTime());
	}

	/**
	 * Returns the slots that this replica should own. The replica may mirror these slots,
	 * but may deliver only those that it owns.
	 * @return the slots; while the server cannot be reached, the slots according to the
	 * last list that was received
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
	 * Returns the number of slots that this replica owns and delivers now.
	 * @return the number
	 */
	public int delivered() {
		Set<Integer> undelivered = undelivered();
		return (int) IntStream.range(0, slots().count())
			.filter((slot) -> isOwner(slot) && !undelivered.contains(slot))
			.count();
	}

	/**
	 * Whether this membership is stopped: this replica does not observe the group, is not
	 * a member, and is not leaving.
	 * @return whether this membership is stopped
	 */
	public boolean isStopped() {
		return this.rounds.isStopped();
	}

	/**
	 * Returns the group that this replica belongs to.
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
	 * Returns the slots that no replica has delivered for longer than the configured
	 * time, according to what this replica has seen.
	 * @return the slots
	 */
	public Set<Integer> unowned() {
		return this.lifecycle.deliveries().unowned();
	}

	/**
	 * Returns the slots that no replica delivers now, according to what this replica has
	 * seen. Slots that are being handed over count, too.
	 * @return the slots
	 */
	public Set<Integer> undelivered() {
		return this.lifecycle.deliveries().undelivered();
	}

	/**
	 * Returns why this replica takes no slots: other replicas have conflicting settings,
	 * and already own slots or joined earlier.
	 * @return one of these replicas and the difference between the settings; empty if
	 * there is no such replica
	 */
	public String conflict() {
		return this.lifecycle.conflict();
	}

	@Override
	public String toString() {
		return "ShardMembership[" + this.store.identity() + ", " + this.store.describe() + "]";
	}

}
