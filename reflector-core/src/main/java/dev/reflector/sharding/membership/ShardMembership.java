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
 * One replica of a group that shares slots. It renews its Lease, reads those of all, and
 * takes, keeps and hands over slots as the assignment wants it. No slot is owned by two
 * replicas at once, and each is owned by one again soon after any change.
 * <p>
 * To take a slot, a replica writes it into its Lease, and then reads all Leases: it owns
 * the slot when no other live replica has it. It hands a slot over by ending its
 * deliveries first, and then writing its Lease without the slot. A replica that does not
 * renew for the lease duration counts as dead; it stops owning slots when the renew
 * deadline has passed since it <em>sent</em> its last successful renewal.
 * <p>
 * Only local monotonic clocks count, and the promise holds while no clock runs faster
 * than another by the ratio of lease duration to renew deadline. What is in progress when
 * a process is paused continues after the pause: give the {@linkplain #epoch epoch} to
 * systems that can refuse an old one. After a Lease of a live replica was deleted, or the
 * server restored from a backup while replicas are running, start no other replicas
 * within the lease duration: these cannot know of what is no longer there.
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
	 * @param assignment who should own which slot
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
	 * @param assignment who should own which slot
	 * @param config the times
	 * @param settings gives what this replica says of its configuration; asked often
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
	 * Reads the Leases of the group without joining it. So it is known which slots this
	 * replica should own when it joins, and these can be mirrored before. Does nothing
	 * when it observes already, or is a member.
	 * @throws IllegalStateException while it leaves
	 */
	public void observe() {
		this.rounds.observe();
	}

	/**
	 * Joins the group. Does nothing when this replica is a member.
	 * @throws IllegalStateException while it leaves
	 */
	public void start() {
		this.rounds.start();
	}

	/**
	 * Leaves the group: hands over all slots as {@link ShardCallbacks#onRelease} allows
	 * it, and then announces it. Its Lease is renewed until then, so the caller decides
	 * how long to wait, and {@linkplain #abort() aborts} when that is too long.
	 * @return completes when the group has been left, or announcing it has failed
	 */
	public CompletionStage<Void> stop() {
		return this.rounds.stop();
	}

	/**
	 * Stops at once, without a word to the others. They take over when the Lease has
	 * expired. Does nothing when this replica is no member.
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
	 * Whether this replica is a member now, by its own clock: whether its Lease is valid.
	 * @return whether it is; it may own no slots
	 */
	public boolean isMember() {
		return this.lifecycle.effective().isValid(this.time.nanoTime());
	}

	/**
	 * The slots that this replica should own. It may mirror them, but not deliver them.
	 * @return the slots; while the server is not reached, those of before
	 */
	public DesiredSlots desired() {
		return this.lifecycle.desired();
	}

	/**
	 * How many slots this replica owns now, by its own clock.
	 * @return the number
	 */
	public int owned() {
		return this.lifecycle.effective().owned(this.time.nanoTime());
	}

	/**
	 * How many of the slots that this replica owns now it delivers.
	 * @return the number
	 */
	public int delivered() {
		Set<Integer> undelivered = undelivered();
		return (int) IntStream.range(0, slots().count())
			.filter((slot) -> isOwner(slot) && !undelivered.contains(slot))
			.count();
	}

	/**
	 * Whether it is no member and is not leaving, so that it can be started.
	 * @return whether it has stopped
	 */
	public boolean isStopped() {
		return this.rounds.isStopped();
	}

	/**
	 * The group that this replica belongs to.
	 * @return namespace and name, human-readable
	 */
	public String group() {
		return this.store.describe();
	}

	/**
	 * Who this replica is.
	 * @return its identity
	 */
	public String identity() {
		return this.store.identity();
	}

	/**
	 * The slots that no replica has delivered for longer than the configured bound, as
	 * far as this one knows.
	 * @return the slots
	 */
	public Set<Integer> unowned() {
		return this.lifecycle.deliveries().unowned();
	}

	/**
	 * The slots that no replica delivers at present, as far as this one knows: also those
	 * that are just being handed over.
	 * @return the slots
	 */
	public Set<Integer> undelivered() {
		return this.lifecycle.deliveries().undelivered();
	}

	/**
	 * Why this replica takes no slots: it is configured differently than others that were
	 * there before.
	 * @return one of these and the difference, empty when there is none
	 */
	public String conflict() {
		return this.lifecycle.conflict();
	}

	@Override
	public String toString() {
		return "ShardMembership[" + this.store.identity() + ", " + this.store.describe() + "]";
	}

}
