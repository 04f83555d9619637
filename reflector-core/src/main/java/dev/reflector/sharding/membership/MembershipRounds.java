package dev.reflector.sharding.membership;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.internal.lease.LeaseFailures;
import dev.reflector.internal.lease.LeaseRequests;
import dev.reflector.sharding.ShardAssignment;
import dev.reflector.sharding.ShardHash;
import dev.reflector.sharding.ShardOwnership;
import dev.reflector.sharding.membership.OwnSlots.OwnSlot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Runs the rounds of a membership. Each round writes the Lease of this replica, reads the
 * Leases of all replicas, and decides which slots to take and hand over. The lock of this
 * object guards all parts of the membership. Responses and timers of an ended loop are
 * ignored.
 */
final class MembershipRounds {

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

	private final SlotLifecycle lifecycle;

	private State state = State.STOPPED;

	private CompletableFuture<Void> left = CompletableFuture.completedFuture(null);

	private int leaveAttempts;

	/** The loop of rounds since the last start. */
	private RoundLoop rounds;

	/** Cancels the timer for the end of the Lease. */
	private Runnable deadline = () -> {
	};

	private final LeaseFailures failures;

	MembershipRounds(MemberStore store, ShardAssignment assignment, ShardMembershipConfig config,
			Supplier<MemberSettings> settings, MembershipCallbacks callbacks, TimeSource time, RandomGenerator random) {
		this.store = store;
		this.assignment = assignment;
		this.config = config;
		this.time = time;
		this.random = random;
		this.callbacks = callbacks;
		this.rounds = new RoundLoop(time, random, config.retryPeriod());
		this.requests = new MemberRequests(store, config, time);
		this.failures = new LeaseFailures(time, logger);
		this.lease = new OwnLease(store);
		this.lifecycle = new SlotLifecycle(store, assignment, this.lease, callbacks, config, settings);
	}

	/**
	 * Returns the part of the membership that keeps the owned slots, and what this
	 * replica has seen of the Leases of the other replicas. Any thread may query which
	 * slots are owned and desired.
	 */
	SlotLifecycle lifecycle() {
		return this.lifecycle;
	}

	synchronized void observe() {
		begin(State.OBSERVING);
	}

	synchronized void start() {
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
			this.lifecycle.begin(this.time.nanoTime());
			this.lease.begin(ShardHash.hex(this.random.nextLong()));
			logger.info("{} {} the shards of {}: {}", this.store.identity(),
					(next == State.RUNNING) ? "joins" : "observes", this.store.describe(), this.assignment);
			RoundLoop rounds = new RoundLoop(this.time, this.random, this.config.retryPeriod());
			this.rounds = rounds;
			rounds.start(Mono.defer(() -> round(rounds)));
			check(rounds);
		}
	}

	synchronized CompletionStage<Void> stop() {
		if (this.state == State.OBSERVING) {
			end();
		}
		else if (this.state == State.RUNNING) {
			this.state = State.LEAVING;
			this.left = new CompletableFuture<>();
			this.leaveAttempts = 0;
			this.lifecycle.releaseAll(this::drained);
			this.rounds.wake();
		}
		return this.left.thenCompose((nothing) -> ended());
	}

	private synchronized CompletionStage<Void> ended() {
		return this.callbacks.end();
	}

	synchronized void abort() {
		if (this.state != State.STOPPED) {
			end();
			this.lifecycle.loseAll();
			this.left.complete(null);
		}
	}

	synchronized boolean isStopped() {
		return this.state == State.STOPPED;
	}

	/**
	 * Whether this replica is a member but has not been able to read the other Leases for
	 * too long.
	 */
	private boolean isBlind(long now) {
		return this.lease.isValid(now) && this.lifecycle.isBlind(now);
	}

	/**
	 * Checks for slots that are not delivered, even while requests get no response, and
	 * schedules the next check.
	 */
	private synchronized void check(RoundLoop rounds) {
		if (rounds.hasEnded()) {
			return;
		}
		long now = this.time.nanoTime();
		if (this.state == State.RUNNING && isBlind(now) && this.lifecycle.releaseAll(this::drained)) {
			logger.warn(
					"{} hands over its slots, because it has not been able to read the Leases of {} for {} ms "
							+ "and cannot see the other replicas",
					this.store.identity(), this.store.describe(), this.config.renewDeadline().toMillis());
			rounds.wake();
		}
		this.lifecycle.checkDeliveries(now);
		this.time.schedule(this.config.retryPeriod().dividedBy(CHECKS_A_PERIOD), () -> check(rounds));
	}

	/**
	 * Runs one round: writes the Lease of this replica, reads the Leases of all replicas,
	 * and decides.
	 */
	private Mono<Void> round(RoundLoop rounds) {
		return Mono.defer(() -> write(rounds))
			.onErrorResume((failure) -> failed(rounds, "written", failure))
			.defaultIfEmpty(ShardOwnership.NOT_OWNED)
			.flatMap((written) -> read(rounds, written))
			.onErrorResume((failure) -> failed(rounds, "read", failure))
			.defaultIfEmpty(false)
			.flatMap((listed) -> LeaseRequests.passingOn(() -> ended(rounds, listed)));
	}

	private synchronized Mono<Void> ended(RoundLoop rounds, boolean listed) {
		if (!rounds.hasEnded() && this.state == State.LEAVING && this.lifecycle.own().isEmpty() && hasLeft()) {
			finish(listed);
		}
		return Mono.empty();
	}

	/**
	 * Writes the Lease of this replica, if it may be written now. Returns the epoch of
	 * the write.
	 */
	private synchronized Mono<Long> write(RoundLoop rounds) {
		long sentAt = this.time.nanoTime();
		boolean leaving = this.state == State.LEAVING || isBlind(sentAt);
		if (rounds.hasEnded() || this.state == State.OBSERVING || !this.lease.isWritable()
				|| this.lease.isSilent(sentAt) || leaving && !this.lease.isWritten()) {
			return Mono.empty();
		}
		MemberRecord next = this.lease.next(leaving, this.config, this.assignment.slots(),
				this.lifecycle.own().listing(), this.lifecycle.undelivered(sentAt), this.lifecycle.own().era(),
				this.lifecycle.settings(), this.time.now().truncatedTo(ChronoUnit.MICROS));
		return this.requests.write(this.lease, next)
			.map((lease) -> LeaseRequests.passingOn(() -> written(rounds, lease, sentAt)));
	}

	/**
	 * Notes a successful write. The renew deadline counts from {@code sentAt}, the time
	 * just before the write was sent. Returns the epoch of the write, or
	 * {@link ShardOwnership#NOT_OWNED} if the response came too late.
	 */
	private synchronized long written(RoundLoop rounds, MemberLease lease, long sentAt) {
		if (rounds.hasEnded()) {
			return ShardOwnership.NOT_OWNED;
		}
		long epoch = epoch(lease);
		long now = this.time.nanoTime();
		long until = sentAt + this.config.renewDeadline().toNanos();
		this.failures.written();
		this.lease.written(lease, epoch);
		this.lifecycle.own().versions().written(epoch);
		if (this.lease.hasLapsed(now)) {
			lapse("the renewal came too late");
			return ShardOwnership.NOT_OWNED;
		}
		if (until - now <= 0) {
			return ShardOwnership.NOT_OWNED;
		}
		this.lease.renew(until);
		if (!this.lifecycle.publish()) {
			lapse("the renewal came too late");
			return ShardOwnership.NOT_OWNED;
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
			throw new IllegalStateException("the version '" + version + "' of the lease is not a number: "
					+ "sharding needs versions that grow, so it cannot be used with this server", ex);
		}
	}

	/** Reads all Leases. Returns whether the list was received. */
	private Mono<Boolean> read(RoundLoop rounds, long written) {
		Round round = new Round(rounds, written, this.time.nanoTime());
		return this.requests.list().map((leases) -> LeaseRequests.passingOn(() -> {
			decide(round, leases);
			return true;
		}));
	}

	private synchronized void decide(Round round, List<MemberLease> leases) {
		if (round.loop().hasEnded()) {
			return;
		}
		long now = this.time.nanoTime();
		boolean writable = this.lease.isWritable();
		String lost = this.lifecycle.observe(leases, round.listSentAt(), now);
		if (lost != null) {
			lapse(lost);
			return;
		}
		boolean news = !writable && this.lease.isWritable() && this.state != State.OBSERVING;
		if (this.state == State.OBSERVING) {
			this.lifecycle.desire();
		}
		if (this.state == State.RUNNING && this.lease.isValid(now)) {
			news |= this.lifecycle.decide(round, this::drained, now);
			if (isEraWritten()) {
				this.requests.delete(this.lifecycle.others().garbage(round.listSentAt())).subscribe();
			}
		}
		if (news) {
			this.rounds.wake();
		}
		this.lifecycle.watch(now);
	}

	/**
	 * Whether the Lease of this replica contains the current era. Only then may other
	 * Leases with that era be deleted.
	 */
	private boolean isEraWritten() {
		return this.lease.era() == this.lifecycle.own().era();
	}

	private synchronized void drained(OwnSlot slot) {
		if (this.lifecycle.drained(slot)) {
			this.rounds.wake();
		}
	}

	private synchronized void expire(RoundLoop rounds) {
		if (!rounds.hasEnded() && this.lease.hasLapsed(this.time.nanoTime())) {
			lapse("the lease was not renewed within " + this.config.renewDeadline().toMillis() + " ms");
		}
	}

	/**
	 * Drops all slots because the Lease has lapsed. If slots were owned, the next write
	 * waits until the other replicas may take these slots according to their clocks.
	 */
	private void lapse(String reason) {
		logger.warn("{} lost its membership in {} and its slots: {}", this.store.identity(), this.store.describe(),
				reason);
		if (this.lifecycle.loseAll()) {
			this.lease.keepSilent(this.time.nanoTime(), this.config.leaseDuration().minus(this.config.renewDeadline()));
		}
		if (this.state == State.LEAVING) {
			this.rounds.wake();
		}
	}

	/**
	 * Whether the other replicas can see that this replica has left, or have never seen
	 * its Lease. Also returns {@code true} after too many attempts to record in the Lease
	 * that it has left.
	 */
	private boolean hasLeft() {
		this.leaveAttempts++;
		if (this.lease.hasLeft() || !this.lease.isWritten()) {
			return true;
		}
		if (this.leaveAttempts > LEAVE_ATTEMPTS) {
			logger.warn("{} could not write to its Lease that it leaves. Other replicas take over its slots "
					+ "when that Lease has expired", this.store.identity());
			return true;
		}
		return false;
	}

	/**
	 * Ends the membership. The last replica that leaves deletes all Leases. If its own
	 * Lease contains an era, the last replica does not delete this Lease, because the
	 * next replica that joins must add the same era to its epochs.
	 */
	private void finish(boolean listed) {
		List<MemberLease> rest = new ArrayList<>();
		MemberLease last = this.lease.last();
		if (listed && this.lease.hasLeft() && last != null && isEraWritten() && !this.lifecycle.others().hasOthers()) {
			rest.addAll(this.lifecycle.others().rest());
			if (last.record().era() == 0) {
				rest.add(last);
			}
		}
		end();
		logger.info("{} has left the shards of {}", this.store.identity(), this.store.describe());
		this.requests.delete(rest).subscribe(null, null, () -> this.left.complete(null));
	}

	private void end() {
		this.state = State.STOPPED;
		this.rounds.end();
		this.deadline.run();
		this.lifecycle.end();
	}

	private synchronized <T> Mono<T> failed(RoundLoop rounds, String what, Throwable failure) {
		if (!rounds.hasEnded()) {
			this.failures.report("of " + this.store.identity() + " in " + this.store.describe(), what, failure);
		}
		return Mono.empty();
	}

	private enum State {

		/** Neither reads nor writes Leases. */
		STOPPED,

		/** Reads the Leases of the other replicas, but writes none. */
		OBSERVING,

		/** This replica is a member. */
		RUNNING,

		/** This replica is a member until all its slots are handed over. */
		LEAVING

	}

}
