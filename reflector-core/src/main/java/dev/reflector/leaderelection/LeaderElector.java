package dev.reflector.leaderelection;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

import dev.reflector.PrintableText;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.internal.lease.LeaseFailures;
import dev.reflector.internal.lease.LeaseRequests;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/**
 * Competes for a lock, and leads while holding it. Works like client-go's elector, but
 * continues to compete after losing the lock.
 * <p>
 * All times are measured with the local monotonic clock. Other replicas wait for the
 * lease duration after they have seen a renewal. The leader stops leading when the renew
 * deadline has passed since it <em>sent</em> its last successful renewal. So there are
 * never two leaders, unless one clock runs faster than another by the ratio of lease
 * duration to renew deadline. A term that was seen counts until it expires, even if the
 * server is restored to an earlier state or the lock is edited. If a process is paused,
 * its work in progress continues after the pause. So pass the {@linkplain #epoch() epoch}
 * to systems that can reject an old one.
 *
 * @since 0.1.0
 */
public final class LeaderElector implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(LeaderElector.class);

	/** The most that is added to a pause, as a multiple of the retry period. */
	private static final double JITTER_FACTOR = 1.2;

	private final ResourceLock lock;

	private final LockRequests requests;

	private final LeaseFailures failures;

	private final LockObservations observations;

	private final LeaderElectionConfig config;

	private final TimeSource time;

	private final DoubleSupplier random;

	private final CallbackQueue callbacks;

	/**
	 * The term of this replica, or {@code null} while it has none. Any thread may read
	 * it.
	 */
	private volatile @Nullable Term term;

	private volatile boolean running;

	/**
	 * When this replica began to compete. {@link #decided} says whether any replica has
	 * been seen to hold the lock since then.
	 */
	private volatile long startedAt;

	private volatile boolean decided;

	/** Keeps the lock of the last term while work of that term is in progress. */
	private @Nullable Handover handover;

	/** The record that this replica last wrote or tried to write. */
	private @Nullable LeaderElectionRecord attempted;

	/**
	 * Increases when a term ends or this replica stops. Responses and timers with an
	 * earlier number are ignored.
	 */
	private long number;

	private Disposable request = Disposables.disposed();

	private Runnable nextAttempt = () -> {
	};

	private Runnable deadline = () -> {
	};

	/**
	 * Creates an elector, which does not compete yet.
	 * @param lock the lock
	 * @param config the times
	 * @param callbacks receives the events of the election
	 * @param time clock and timer
	 * @param executor runs the callbacks
	 */
	public LeaderElector(ResourceLock lock, LeaderElectionConfig config, LeaderCallbacks callbacks, TimeSource time,
			Executor executor) {
		this(lock, config, callbacks, time, executor, () -> ThreadLocalRandom.current().nextDouble());
	}

	LeaderElector(ResourceLock lock, LeaderElectionConfig config, LeaderCallbacks callbacks, TimeSource time,
			Executor executor, DoubleSupplier random) {
		if (lock.identity().isBlank()) {
			throw new IllegalArgumentException("the identity must not be empty");
		}
		this.lock = lock;
		this.requests = new LockRequests(lock, config, time);
		this.failures = new LeaseFailures(time, logger);
		this.observations = new LockObservations(config.leaseDuration().toSeconds());
		this.config = config;
		this.time = time;
		this.random = random;
		this.callbacks = new CallbackQueue(callbacks, executor);
	}

	/**
	 * Begins to compete for the lock. Does nothing when this replica competes already.
	 */
	public synchronized void start() {
		if (!this.running) {
			this.startedAt = this.time.nanoTime();
			this.decided = false;
			this.running = true;
			logger.info("{} takes part in the leader election for the lease {}", this.lock.identity(),
					this.lock.describe());
			attempt(this.number);
		}
	}

	/**
	 * Stops leading and competing. A leader renews the lock until the callbacks have
	 * ended, so that no other replica leads earlier. Then it releases the lock, if that
	 * is configured, or leaves it to expire.
	 * @return a stage that completes after the callbacks and the attempt to release the
	 * lock
	 */
	public synchronized CompletionStage<Void> stop() {
		if (!this.running) {
			return this.callbacks.end();
		}
		this.running = false;
		LeaderElectionRecord written = this.attempted;
		boolean led = endTerm("it stops");
		CompletionStage<Void> ended = this.callbacks.end();
		if (!led || written == null) {
			return ended;
		}
		Handover handover = new Handover(this.lock, this.config, this.time, written, this::observe);
		this.handover = handover;
		return handover.after(ended);
	}

	/**
	 * Stops leading and competing without waiting. If work of the last term is still in
	 * progress, the lock is left to expire.
	 */
	@Override
	public synchronized void close() {
		stop();
		Handover handover = this.handover;
		if (handover != null) {
			handover.abandon();
		}
	}

	/**
	 * Whether this replica leads now, by its own clock. Check before each step that only
	 * the leader may do.
	 * @return whether this replica leads
	 */
	public boolean isLeader() {
		return epoch().isPresent();
	}

	/**
	 * Returns the number of the current term, which is larger than those of all earlier
	 * terms of this lock (a fencing token).
	 * @return the number, empty while this replica does not lead
	 */
	public OptionalLong epoch() {
		Term term = this.term;
		while (term != null && term.isOver()) {
			Term present = this.term;
			if (present == term) {
				return OptionalLong.empty();
			}
			term = present;
		}
		return (term != null) ? OptionalLong.of(term.epoch()) : OptionalLong.empty();
	}

	/**
	 * Returns the leader that this replica has seen last.
	 * @return identity of the holder of the lock; empty if there is none, or if its last
	 * renewal was seen longer ago than the lease duration. The identity of this replica
	 * is returned only while this replica leads
	 */
	public String leader() {
		String holder = this.observations.holder(this.time.nanoTime());
		return (holder.equals(identity()) && !isLeader()) ? "" : holder;
	}

	/**
	 * Whether this replica cannot know yet who leads: it does not compete, or it has
	 * competed for less than a lease duration and has seen no holder of the lock.
	 * @return whether an empty {@link #leader()} means that the leader is unknown
	 */
	public boolean isUndecided() {
		return !this.running
				|| (!this.decided && this.time.nanoTime() - this.startedAt <= this.config.leaseDuration().toNanos());
	}

	/**
	 * Returns the identity of this replica.
	 * @return the identity
	 */
	public String identity() {
		return this.lock.identity();
	}

	/**
	 * Returns the lock for which this replica competes.
	 * @return namespace and name of the lock, human-readable
	 */
	public String lease() {
		return this.lock.describe();
	}

	private synchronized void attempt(long number) {
		if (!isCurrent(number)) {
			return;
		}
		Term term = this.term;
		if (term != null && term.isOver()) {
			lose("the lease was not renewed in time");
			return;
		}
		try {
			this.request = tryAcquireOrRenew(number).onErrorResume((failure) -> failed(number, failure))
				.subscribe(null, null, () -> schedule(number));
		}
		catch (RuntimeException | Error ex) {
			// Reactor throws an error of the JVM instead of passing it on
			schedule(number);
			failed(number, ex);
		}
	}

	private boolean isCurrent(long number) {
		return this.running && this.number == number;
	}

	private synchronized void schedule(long number) {
		if (isCurrent(number)) {
			double jitter = (this.term != null) ? 0 : JITTER_FACTOR * this.random.getAsDouble();
			long nanos = (long) (this.config.retryPeriod().toNanos() * (1 + jitter));
			// an attempt that has thrown an error may be answered later, too
			this.nextAttempt.run();
			this.nextAttempt = this.time.schedule(Duration.ofNanos(nanos), () -> attempt(number));
		}
	}

	/**
	 * Tries to acquire or renew the lock. A leader first assumes that the lock is
	 * unchanged since its last write.
	 */
	private Mono<Void> tryAcquireOrRenew(long number) {
		ObservedLock last = this.observations.latest();
		LeaderElectionRecord written = this.attempted;
		if (this.term == null || last == null || written == null) {
			return read(number);
		}
		return write(number, written.renewed(now()), last.version()::update).onErrorResume((failure) -> {
			logger.debug("The lease {} could not be renewed without reading it. It is now read first",
					this.lock.describe(), failure);
			return read(number);
		});
	}

	private Mono<Void> read(long number) {
		return this.requests.read()
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.flatMap((found) -> LeaseRequests.passingOn(() -> decide(number, found.orElse(null))));
	}

	private synchronized Mono<Void> decide(long number, ResourceLock.@Nullable Version found) {
		if (!isCurrent(number)) {
			return Mono.empty();
		}
		observe(found);
		ObservedLock last = this.observations.latest();
		LeaderElectionRecord written = this.attempted;
		boolean mine = last != null && written != null && last.record().isSameTermAs(written);
		if (this.term != null && !mine) {
			lose((last != null && !last.record().holderIdentity().isEmpty())
					? "'" + PrintableText.of(last.record().holderIdentity()) + "' holds the lease"
					: "the lease has no holder");
			return Mono.empty();
		}
		if (this.term == null && this.observations.isHeldByAnother(written, this.time.nanoTime())) {
			this.decided = true;
			return Mono.empty();
		}
		LeaderElectionRecord next = (this.term != null && written != null) ? written.renewed(now()) : acquisition();
		return write(number, next, (found != null) ? found::update : this.lock::create);
	}

	/**
	 * Returns the record that acquires the lock. An earlier request that was given up may
	 * still arrive at the server. So the record of that request is used again, with a new
	 * renew time, unless the number of its term is already used.
	 */
	private LeaderElectionRecord acquisition() {
		Instant now = now();
		LeaderElectionRecord before = this.attempted;
		if (before != null && before.leaderTransitions() == this.observations.nextEpoch()) {
			return before.renewed(now);
		}
		return new LeaderElectionRecord(this.lock.identity(), (int) this.config.leaseDuration().toSeconds(), now, now,
				this.observations.nextEpoch());
	}

	/**
	 * Returns the time with the precision of the server, so that the record can be
	 * recognized later.
	 */
	private Instant now() {
		return this.time.now().truncatedTo(ChronoUnit.MICROS);
	}

	private Mono<Void> write(long number, LeaderElectionRecord next, Write write) {
		return Mono.defer(() -> {
			synchronized (this) {
				if (!isCurrent(number)) {
					return Mono.empty();
				}
				this.attempted = next;
			}
			long sentAt = this.time.nanoTime();
			return this.requests.write(() -> write.write(next))
				.flatMap((version) -> LeaseRequests.passingOn(() -> held(number, version, sentAt)));
		});
	}

	/**
	 * Notes that this replica holds the lock. The renew deadline counts from
	 * {@code sentAt}, the time just before the request was sent.
	 */
	private synchronized Mono<Void> held(long number, ResourceLock.Version version, long sentAt) {
		if (!isCurrent(number)) {
			return Mono.empty();
		}
		this.failures.written();
		observe(version);
		Term term = this.term;
		long until = sentAt + this.config.renewDeadline().toNanos();
		if (term != null && term.isOver()) {
			lose("the renewal came too late");
			return Mono.empty();
		}
		Duration remaining = Duration.ofNanos(until - this.time.nanoTime());
		if (remaining.isNegative() || remaining.isZero()) {
			return Mono.empty();
		}
		long epoch = version.record().leaderTransitions();
		this.term = new Term(this.time, epoch, until);
		this.decided = true;
		if (term != null && term.wasSeenOver()) {
			// isLeader() has already returned false
			lose("the renewal came too late");
			return Mono.empty();
		}
		this.deadline.run();
		this.deadline = this.time.schedule(remaining, () -> expire(number));
		if (term == null) {
			logger.info("{} is now the leader (lease {}, epoch {})", this.lock.identity(), this.lock.describe(), epoch);
			this.callbacks.startedLeading(epoch);
		}
		return Mono.empty();
	}

	private synchronized void observe(ResourceLock.@Nullable Version found) {
		if (this.observations.observe(found, isLeader(), this.time.nanoTime()) && found != null) {
			this.callbacks.seen(found.record().holderIdentity());
		}
	}

	private synchronized void expire(long number) {
		if (isCurrent(number) && !isLeader()) {
			lose("the lease was not renewed within " + this.config.renewDeadline().toMillis() + " ms");
		}
	}

	private void lose(String reason) {
		endTerm(reason);
		schedule(this.number);
	}

	/** Ends the term and the attempt in progress. Returns whether there was a term. */
	private boolean endTerm(String reason) {
		Term ended = this.term;
		this.term = null;
		this.number++;
		this.nextAttempt.run();
		this.deadline.run();
		this.request.dispose();
		if (ended != null) {
			logger.info("{} is no longer the leader: {} (lease {}, epoch {})", this.lock.identity(), reason,
					this.lock.describe(), ended.epoch());
			this.callbacks.stoppedLeading(ended.epoch());
		}
		return ended != null;
	}

	private synchronized Mono<Void> failed(long number, Throwable failure) {
		if (isCurrent(number)) {
			this.failures.report(this.lock.describe(), (this.term != null) ? "renewed" : "acquired", failure);
		}
		return Mono.empty();
	}

	@Override
	public String toString() {
		return "LeaderElector[" + this.lock.identity() + ", lease " + this.lock.describe() + "]";
	}

	/** Writes a record to the lock. */
	private interface Write {

		Mono<ResourceLock.Version> write(LeaderElectionRecord next);

	}

}
