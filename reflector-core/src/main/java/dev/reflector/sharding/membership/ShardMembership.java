package dev.reflector.sharding.membership;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.sharding.DesiredSlots;
import dev.reflector.sharding.ShardAssignment;
import dev.reflector.sharding.ShardHash;
import dev.reflector.sharding.ShardOwnership;
import dev.reflector.sharding.Slots;
import dev.reflector.sharding.membership.OwnSlots.OwnSlot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import reactor.core.publisher.Mono;

/**
 * One replica of a group that shares slots. It renews its Lease, reads those of all, and
 * takes, keeps and hands over slots as the assignment wants it. No slot is owned by two
 * replicas at once, and each is owned by one again soon after any change.
 * <p>
 * To take a slot, a replica writes it into its Lease, and then reads all Leases: it owns
 * the slot when no other live replica has it. It hands a slot over by ending its
 * deliveries first, and then writing its Lease without the slot. A replica that is not
 * heard of for the lease duration counts as dead; it stops owning slots when the renew
 * deadline has passed since it <em>sent</em> its last successful renewal.
 * <p>
 * Only local monotonic clocks count, and the promise holds while no clock runs faster
 * than another by the ratio of lease duration to renew deadline. What is in progress when
 * a process is paused continues after the pause: give the {@linkplain #epoch epoch} to
 * systems that can refuse an old one. Whoever deletes the Lease of a live replica, or
 * restores the server from a backup while replicas are running, should not start other
 * replicas within the lease duration: these cannot know of what is no longer there.
 * <p>
 * Thread-safe. It can be started again after it has stopped.
 *
 * @since 0.1.0
 */
public final class ShardMembership implements ShardOwnership {

	private static final Logger logger = LoggerFactory.getLogger(ShardMembership.class);

	private static final int LEAVE_ATTEMPTS = 3;

	private static final int CHECKS_A_PERIOD = 2;

	private final MemberStore store;

	private final ShardAssignment assignment;

	private final ShardMembershipConfig config;

	private final TimeSource time;

	private final RandomGenerator random;

	private final MemberRequests requests;

	private final MembershipCallbacks callbacks;

	private final OwnLease lease;

	private final SlotKeeper keeper;

	private State state = State.STOPPED;

	private CompletableFuture<Void> left = CompletableFuture.completedFuture(null);

	private int leaveAttempts;

	/** The rounds since the last start. */
	private RoundLoop rounds;

	/** Cancels the timer at the end of the Lease. */
	private Runnable deadline = () -> {
	};

	private boolean failing;

	/**
	 * Creates a replica that has not joined yet.
	 * @param store the Leases of the group
	 * @param assignment who should own which slot
	 * @param config the times
	 * @param callbacks hears of the slots of this replica
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
	 * @param callbacks hears of the slots of this replica
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
		this.config = config;
		this.time = time;
		this.random = random;
		this.callbacks = callbacks;
		this.rounds = new RoundLoop(time, random, config.retryPeriod());
		this.requests = new MemberRequests(store, config, time);
		this.lease = new OwnLease(store);
		this.keeper = new SlotKeeper(store, assignment, this.lease, callbacks, config, settings);
	}

	/**
	 * Reads the Leases of the group without joining it. So it is known which slots this
	 * replica should own when it joins, and these can be mirrored before. Does nothing
	 * when it observes already, or is a member.
	 * @throws IllegalStateException while it leaves
	 */
	public synchronized void observe() {
		begin(State.OBSERVING);
	}

	/**
	 * Joins the group. Does nothing when this replica is a member.
	 * @throws IllegalStateException while it leaves
	 */
	public synchronized void start() {
		begin(State.RUNNING);
		if (this.state == State.OBSERVING) {
			this.state = State.RUNNING;
			this.rounds.wake();
		}
	}

	private void begin(State next) {
		if (this.state == State.LEAVING) {
			throw new IllegalStateException("'" + this.store.identity() + "' is still leaving");
		}
		if (this.state == State.STOPPED) {
			this.state = next;
			this.keeper.begin(this.time.nanoTime());
			this.lease.begin(ShardHash.hex(this.random.nextLong()));
			logger.info("{} {} the shards of {}: {}", this.store.identity(),
					(next == State.RUNNING) ? "joins" : "observes", this.store.describe(), this.assignment);
			RoundLoop rounds = new RoundLoop(this.time, this.random, this.config.retryPeriod());
			this.rounds = rounds;
			rounds.start(Mono.defer(() -> round(rounds)));
			check(rounds);
		}
	}

	/**
	 * Leaves the group: hands over all slots as {@link ShardCallbacks#onRelease} allows
	 * it, and then tells the others. Its Lease is renewed until then, so the caller
	 * decides how long to wait, and {@linkplain #abort() aborts} when that is too long.
	 * @return completes when the group has been left, or an attempt to tell so has failed
	 */
	public synchronized CompletionStage<Void> stop() {
		if (this.state == State.OBSERVING) {
			end();
		}
		else if (this.state == State.RUNNING) {
			this.state = State.LEAVING;
			this.left = new CompletableFuture<>();
			this.leaveAttempts = 0;
			this.keeper.releaseAll(this::drained);
			this.rounds.wake();
		}
		return this.left.thenCompose((nothing) -> ended());
	}

	private synchronized CompletionStage<Void> ended() {
		return this.callbacks.end();
	}

	/**
	 * Stops at once, without a word to the others. They take over when the Lease has
	 * expired. Does nothing when this replica is no member.
	 */
	public synchronized void abort() {
		if (this.state != State.STOPPED) {
			end();
			this.keeper.loseAll();
			this.left.complete(null);
		}
	}

	@Override
	public Slots slots() {
		return this.assignment.slots();
	}

	@Override
	public long epoch(int slot) {
		return this.keeper.epoch(slot, this.time);
	}

	/**
	 * Whether this replica is a member now, by its own clock: whether its Lease is valid.
	 * @return whether it is; it may own no slots
	 */
	public boolean isMember() {
		return this.keeper.effective().isValid(this.time.nanoTime());
	}

	/**
	 * The slots that this replica should own. It may mirror them, but not deliver them.
	 * @return the slots; while the server is not reached, those of before
	 */
	public DesiredSlots desired() {
		return this.keeper.desired();
	}

	/**
	 * How many slots this replica owns now, by its own clock.
	 * @return the number
	 */
	public int owned() {
		return this.keeper.effective().owned(this.time.nanoTime());
	}

	/**
	 * Whether it is no member and is not leaving, so that it can be started.
	 * @return whether it has stopped
	 */
	public synchronized boolean isStopped() {
		return this.state == State.STOPPED;
	}

	/**
	 * The group that this replica belongs to.
	 * @return namespace and name, for people
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
		return this.keeper.deliveries().unowned();
	}

	/**
	 * The slots that no replica delivers at present, as far as this one knows: also those
	 * that are just being handed over.
	 * @return the slots
	 */
	public Set<Integer> undelivered() {
		return this.keeper.deliveries().undelivered();
	}

	/**
	 * Why this replica takes no slots: it is configured differently than others that were
	 * there before.
	 * @return one of these and the difference, empty when there is none
	 */
	public String conflict() {
		return this.keeper.conflict();
	}

	/** Whether it is a member that cannot see the others. */
	private boolean isBlind(long now) {
		return this.lease.isValid(now) && this.keeper.isBlind(now);
	}

	/** Looks for slots that are not delivered, also while requests are not answered. */
	private synchronized void check(RoundLoop rounds) {
		if (rounds.hasEnded()) {
			return;
		}
		long now = this.time.nanoTime();
		if (this.state == State.RUNNING && isBlind(now) && this.keeper.releaseAll(this::drained)) {
			logger.warn(
					"{} has read no Leases of {} for {} ms, and hands over its slots: other replicas cannot be seen",
					this.store.identity(), this.store.describe(), this.config.renewDeadline().toMillis());
			rounds.wake();
		}
		this.keeper.checkDeliveries(now);
		this.time.schedule(this.config.retryPeriod().dividedBy(CHECKS_A_PERIOD), () -> check(rounds));
	}

	/** Writes the own Lease, reads those of all, and decides. */
	private Mono<Void> round(RoundLoop rounds) {
		return Mono.defer(() -> write(rounds))
			.onErrorResume((failure) -> failed(rounds, "written", failure))
			.defaultIfEmpty(NOT_OWNED)
			.flatMap((written) -> read(rounds, written))
			.onErrorResume((failure) -> failed(rounds, "read", failure))
			.defaultIfEmpty(false)
			.doOnNext((listed) -> ended(rounds, listed))
			.then();
	}

	private synchronized void ended(RoundLoop rounds, boolean listed) {
		if (!rounds.hasEnded() && this.state == State.LEAVING && this.keeper.own().isEmpty() && hasLeft()) {
			finish(listed);
		}
	}

	/** Gives the epoch of the write, if there is one. */
	private synchronized Mono<Long> write(RoundLoop rounds) {
		long sentAt = this.time.nanoTime();
		boolean leaving = this.state == State.LEAVING || isBlind(sentAt);
		if (rounds.hasEnded() || this.state == State.OBSERVING || !this.lease.isWritable()
				|| leaving && !this.lease.isWritten()) {
			return Mono.empty();
		}
		MemberRecord next = this.lease.next(leaving, this.config, slots(), this.keeper.own().listing(),
				this.keeper.undelivered(sentAt), this.keeper.settings(),
				this.time.now().truncatedTo(ChronoUnit.MICROS));
		return this.requests.write(this.lease, next).map((lease) -> written(rounds, lease, sentAt));
	}

	/** The Lease counts from the time before the write was sent. */
	private synchronized long written(RoundLoop rounds, MemberLease lease, long sentAt) {
		if (rounds.hasEnded()) {
			return NOT_OWNED;
		}
		long epoch = epoch(lease);
		long now = this.time.nanoTime();
		long until = sentAt + this.config.renewDeadline().toNanos();
		this.lease.written(lease, epoch);
		if (this.lease.hasLapsed(now)) {
			lapse("the renewal came too late");
			return NOT_OWNED;
		}
		if (until - now <= 0) {
			return NOT_OWNED;
		}
		this.lease.renew(until);
		this.failing = false;
		if (!this.keeper.publish()) {
			lapse("the renewal came too late");
			return NOT_OWNED;
		}
		this.deadline.run();
		this.deadline = this.time.schedule(Duration.ofNanos(until - now), () -> expire(rounds));
		return epoch;
	}

	private static long epoch(MemberLease lease) {
		String version = lease.resourceVersion();
		try {
			return Long.parseLong(version);
		}
		catch (NumberFormatException ex) {
			throw new IllegalStateException("the version '" + version + "' of the lease is no number: without "
					+ "versions that grow there are no epochs, and so no shards on this server", ex);
		}
	}

	/** Whether the list has come. */
	private Mono<Boolean> read(RoundLoop rounds, long written) {
		Round round = new Round(rounds, written, this.time.nanoTime());
		return this.requests.list().map((leases) -> {
			decide(round, leases);
			return true;
		});
	}

	private synchronized void decide(Round round, List<MemberLease> leases) {
		if (round.loop().hasEnded()) {
			return;
		}
		long now = this.time.nanoTime();
		boolean writable = this.lease.isWritable();
		String lost = this.keeper.observe(leases, round.listSentAt(), now);
		if (lost != null) {
			lapse(lost);
			return;
		}
		boolean news = !writable && this.lease.isWritable() && this.state != State.OBSERVING;
		if (this.state == State.OBSERVING) {
			this.keeper.desire();
		}
		if (this.state == State.RUNNING && this.lease.isValid(now)) {
			news |= this.keeper.decide(round, this::drained, now);
			this.requests.delete(this.keeper.others().garbage(round.listSentAt())).subscribe();
		}
		if (news) {
			this.rounds.wake();
		}
		this.keeper.watch(now);
	}

	private synchronized void drained(OwnSlot slot) {
		if (this.keeper.drained(slot)) {
			this.rounds.wake();
		}
	}

	private synchronized void expire(RoundLoop rounds) {
		if (!rounds.hasEnded() && this.lease.hasLapsed(this.time.nanoTime())) {
			lapse("the lease was not renewed within " + this.config.renewDeadline().toMillis() + " ms");
		}
	}

	/** The next write has no slots. */
	private void lapse(String reason) {
		logger.warn("{} lost its membership in {} and its slots: {}", this.store.identity(), this.store.describe(),
				reason);
		this.keeper.loseAll();
		if (this.state == State.LEAVING) {
			this.rounds.wake();
		}
	}

	/** Whether the others know that this replica leaves, or never knew of it. */
	private boolean hasLeft() {
		this.leaveAttempts++;
		if (this.lease.hasLeft() || !this.lease.isWritten()) {
			return true;
		}
		if (this.leaveAttempts > LEAVE_ATTEMPTS) {
			logger.warn("{} could not tell the others that it leaves: they take over when its lease has expired",
					this.store.identity());
			return true;
		}
		return false;
	}

	/** The last one that leaves takes the Leases of all with it. */
	private void finish(boolean listed) {
		List<MemberLease> rest = new ArrayList<>();
		MemberLease last = this.lease.last();
		if (listed && this.lease.hasLeft() && last != null && !this.keeper.others().hasOthers()) {
			rest.add(last);
			rest.addAll(this.keeper.others().rest());
		}
		end();
		logger.info("{} has left the shards of {}", this.store.identity(), this.store.describe());
		this.requests.delete(rest).subscribe(null, null, () -> this.left.complete(null));
	}

	private void end() {
		this.state = State.STOPPED;
		this.rounds.end();
		this.deadline.run();
		this.keeper.deliveries().end();
		this.keeper.desire(DesiredSlots.NONE);
	}

	private synchronized <T> Mono<T> failed(RoundLoop rounds, String what, Throwable failure) {
		if (!rounds.hasEnded()) {
			logger.atLevel(this.failing ? Level.DEBUG : Level.WARN)
				.log("The lease of {} in {} could not be {}: {}", this.store.identity(), this.store.describe(), what,
						failure.toString());
			this.failing = true;
		}
		return Mono.empty();
	}

	@Override
	public String toString() {
		return "ShardMembership[" + this.store.identity() + ", " + this.store.describe() + "]";
	}

	private enum State {

		/** Neither reads nor writes Leases. */
		STOPPED,

		/** Reads those of the others. */
		OBSERVING,

		/** Is a member. */
		RUNNING,

		/** Is a member until all slots are handed over. */
		LEAVING

	}

}
