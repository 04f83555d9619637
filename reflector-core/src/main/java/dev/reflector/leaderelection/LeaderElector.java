package dev.reflector.leaderelection;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

import dev.reflector.PrintableText;
import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/**
 * Competes for a lock, and leads while it holds it. Works as client-go's elector does,
 * and goes on competing after it has lost the lock.
 * <p>
 * Only the local monotonic clock counts. The others wait for the lease duration after
 * they have seen a renewal; the leader stops leading when the renew deadline has passed
 * since it <em>sent</em> its last successful renewal. So there are never two leaders
 * while no clock runs faster than another by the ratio of lease duration to renew
 * deadline. What is in progress when a process is paused goes on after the pause: give
 * the {@linkplain #epoch() epoch} to systems that can refuse an old one.
 *
 * @since 0.1.0
 */
public final class LeaderElector {

	private static final Logger logger = LoggerFactory.getLogger(LeaderElector.class);

	private final ResourceLock lock;

	private final LeaderElectionConfig config;

	private final TimeSource time;

	private final DoubleSupplier random;

	private final CallbackQueue callbacks;

	/** The term of this replica, for readers on any thread. */
	private volatile @Nullable Term term;

	private volatile @Nullable Observation observed;

	private boolean running;

	/** What this replica has written last, or has tried to write. */
	private @Nullable LeaderElectionRecord attempted;

	/** Answers and timers of an earlier number are too late. */
	private long number;

	private Disposable request = Disposables.disposed();

	private Runnable nextAttempt = () -> {
	};

	private Runnable deadline = () -> {
	};

	private boolean failing;

	/**
	 * Creates an elector, which does not compete yet.
	 * @param lock the lock
	 * @param config the times
	 * @param callbacks hears of the election
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
		this.config = config;
		this.time = time;
		this.random = random;
		this.callbacks = new CallbackQueue(callbacks, executor);
	}

	/**
	 * Begins to compete for the lock. Does nothing when it competes.
	 */
	public synchronized void start() {
		if (!this.running) {
			this.running = true;
			logger.info("{} competes for the lease {}", this.lock.identity(), this.lock.describe());
			attempt(this.number);
		}
	}

	/**
	 * Stops leading and competing. The lock is released, if that is configured and this
	 * replica leads, after {@link LeaderCallbacks#onStoppedLeading} has returned.
	 * @return completes after the callbacks and the release, or an attempt to release
	 * that has failed
	 */
	public synchronized CompletionStage<Void> stop() {
		if (!this.running) {
			return this.callbacks.end();
		}
		this.running = false;
		Observation last = this.observed;
		LeaderElectionRecord written = this.attempted;
		boolean led = endTerm("it stops");
		CompletionStage<Void> ended = this.callbacks.end();
		if (!led || !this.config.releaseOnCancel() || last == null || written == null) {
			return ended;
		}
		return ended.thenCompose((nothing) -> release(last, written).toFuture());
	}

	/**
	 * Whether this replica leads now, by its own clock. Ask before each step that only
	 * the leader may do.
	 * @return whether it leads
	 */
	public boolean isLeader() {
		return epoch().isPresent();
	}

	/**
	 * The number of the present term, which is larger than those of all earlier terms of
	 * this lock (a fencing token).
	 * @return the number, empty while this replica does not lead
	 */
	public OptionalLong epoch() {
		Term term = this.term;
		while (term != null && isOver(term)) {
			Term present = this.term;
			if (present == term) {
				return OptionalLong.empty();
			}
			term = present;
		}
		return (term != null) ? OptionalLong.of(term.epoch) : OptionalLong.empty();
	}

	/** A term that was seen to be over once is not renewed any more. */
	private boolean isOver(Term term) {
		if (this.time.nanoTime() - term.until >= 0) {
			term.over = true;
		}
		return term.over;
	}

	/**
	 * Who leads, as far as this replica has seen.
	 * @return identity of the holder of the lock, empty when it is not known or there is
	 * none
	 */
	public String leader() {
		Observation observed = this.observed;
		return (observed != null) ? observed.record().holderIdentity() : "";
	}

	/**
	 * Who this replica is.
	 * @return its identity
	 */
	public String identity() {
		return this.lock.identity();
	}

	/**
	 * What it competes for.
	 * @return namespace and name of the lock, for people
	 */
	public String lease() {
		return this.lock.describe();
	}

	private synchronized void attempt(long number) {
		if (!isCurrent(number)) {
			return;
		}
		this.request = tryAcquireOrRenew(number).onErrorResume((failure) -> failed(number, failure))
			.subscribe(null, null, () -> schedule(number));
	}

	private boolean isCurrent(long number) {
		return this.running && this.number == number;
	}

	private synchronized void schedule(long number) {
		if (isCurrent(number)) {
			double jitter = (this.term != null) ? 0 : LeaderElectionConfig.JITTER_FACTOR * this.random.getAsDouble();
			long nanos = (long) (this.config.retryPeriod().toNanos() * (1 + jitter));
			this.nextAttempt = this.time.schedule(Duration.ofNanos(nanos), () -> attempt(number));
		}
	}

	/** A leader first assumes that the lock is as it has left it. */
	private Mono<Void> tryAcquireOrRenew(long number) {
		Observation last = this.observed;
		LeaderElectionRecord written = this.attempted;
		if (this.term == null || last == null || written == null) {
			return read(number);
		}
		return write(number, written.renewed(now()), last.version()::update).onErrorResume((failure) -> {
			logger.debug("The lease {} could not be renewed at once: it is read first", this.lock.describe(), failure);
			return read(number);
		});
	}

	private Mono<Void> read(long number) {
		return limited(this.lock::get, this.config.renewDeadline().dividedBy(2)).map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.flatMap((found) -> decide(number, found.orElse(null)));
	}

	private synchronized Mono<Void> decide(long number, ResourceLock.@Nullable Version found) {
		if (!isCurrent(number)) {
			return Mono.empty();
		}
		if (found != null) {
			observe(found);
		}
		Observation last = this.observed;
		LeaderElectionRecord written = this.attempted;
		boolean mine = last != null && written != null && last.record().isSameTermAs(written);
		if (this.term != null && !mine) {
			lose("'" + PrintableText.of(leader()) + "' holds the lease");
			return Mono.empty();
		}
		if (!mine && last != null && last.isHeld(this.time.nanoTime(), this.config.leaseDuration().toSeconds())) {
			this.failing = false;
			return Mono.empty();
		}
		LeaderElectionRecord next = (this.term != null && written != null) ? written.renewed(now()) : acquisition(last);
		return write(number, next, (found != null) ? found::update : this.lock::create);
	}

	private LeaderElectionRecord acquisition(@Nullable Observation last) {
		Instant now = now();
		return new LeaderElectionRecord(this.lock.identity(), (int) this.config.leaseDuration().toSeconds(), now, now,
				(last != null) ? last.record().leaderTransitions() + 1 : 0);
	}

	/** As precise as the server stores it: so the record can be recognized. */
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
			return limited(() -> write.write(next), this.config.renewDeadline().dividedBy(2))
				.doOnNext((version) -> held(number, version, sentAt))
				.then();
		});
	}

	/** The term counts from the time before the request was sent. */
	private synchronized void held(long number, ResourceLock.Version version, long sentAt) {
		if (!isCurrent(number)) {
			return;
		}
		observe(version);
		this.failing = false;
		Term term = this.term;
		long until = sentAt + this.config.renewDeadline().toNanos();
		if (term != null && isOver(term)) {
			lose("the renewal came too late");
			return;
		}
		Duration remaining = Duration.ofNanos(until - this.time.nanoTime());
		if (remaining.isNegative() || remaining.isZero()) {
			return;
		}
		long epoch = version.record().leaderTransitions();
		this.term = new Term(epoch, until);
		if (term != null && term.over) {
			// somebody was told meanwhile that this replica does not lead
			lose("the renewal came too late");
			return;
		}
		this.deadline.run();
		this.deadline = this.time.schedule(remaining, () -> expire(number));
		if (term == null) {
			logger.info("{} leads: it holds the lease {}, epoch {}", this.lock.identity(), this.lock.describe(), epoch);
			this.callbacks.startedLeading(epoch);
		}
	}

	private void observe(ResourceLock.Version found) {
		Observation last = this.observed;
		if (last == null || !last.isOf(found)) {
			this.observed = new Observation(found, this.time.nanoTime());
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

	/** Ends the attempt in progress, too. */
	private boolean endTerm(String reason) {
		Term ended = this.term;
		this.term = null;
		this.number++;
		this.nextAttempt.run();
		this.deadline.run();
		this.request.dispose();
		if (ended != null) {
			logger.info("{} no longer leads: {} (lease {}, epoch {})", this.lock.identity(), reason,
					this.lock.describe(), ended.epoch);
			this.callbacks.stoppedLeading(ended.epoch);
		}
		return ended != null;
	}

	/** An attempt that was cancelled may still arrive at the server. */
	private Mono<Void> release(Observation last, LeaderElectionRecord written) {
		Mono<ResourceLock.Version> again = Mono.defer(this.lock::get)
			.filter((found) -> found.record().isSameTermAs(written))
			.flatMap((found) -> found.update(written.released(now())));
		return limited(() -> last.version().update(written.released(now())).onErrorResume((failure) -> again),
				this.config.renewDeadline())
			.doOnNext((version) -> logger.info("{} has released the lease {}", this.lock.identity(),
					this.lock.describe()))
			.then()
			.onErrorResume((failure) -> {
				logger.warn("The lease {} could not be released: the others take over when it has expired",
						this.lock.describe(), failure);
				return Mono.empty();
			});
	}

	private synchronized Mono<Void> failed(long number, Throwable failure) {
		if (isCurrent(number)) {
			logger.atLevel(this.failing ? Level.DEBUG : Level.WARN)
				.log("The lease {} could not be {}: {}", this.lock.describe(),
						(this.term != null) ? "renewed" : "acquired", failure.toString());
			this.failing = true;
		}
		return Mono.empty();
	}

	private <T> Mono<T> limited(Supplier<Mono<T>> request, Duration timeout) {
		Mono<T> tooLate = Mono.create((sink) -> {
			Runnable cancel = this.time.schedule(timeout,
					() -> sink.error(new TimeoutException("no answer within " + timeout.toMillis() + " ms")));
			sink.onDispose(cancel::run);
		});
		return Mono.firstWithSignal(Mono.defer(request), tooLate);
	}

	@Override
	public String toString() {
		return "LeaderElector[" + this.lock.identity() + ", lease " + this.lock.describe() + "]";
	}

	/** A term of this replica, until it is renewed. */
	private static final class Term {

		private final long epoch;

		/** When it ends unless it is renewed, in nanoseconds of the local clock. */
		private final long until;

		private volatile boolean over;

		private Term(long epoch, long until) {
			this.epoch = epoch;
			this.until = until;
		}

	}

	/** Writes a record to the lock. */
	private interface Write {

		Mono<ResourceLock.Version> write(LeaderElectionRecord next);

	}

}
