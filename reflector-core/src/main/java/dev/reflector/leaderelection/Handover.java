package dev.reflector.leaderelection;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import dev.reflector.cache.config.TimeSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/**
 * Keeps the lock after this replica has stopped leading, until all work of its term has
 * ended. Then the lock is released, or left to expire.
 */
final class Handover {

	private static final Logger logger = LoggerFactory.getLogger(LeaderElector.class);

	private final ResourceLock lock;

	private final LockRequests requests;

	private final LeaderElectionConfig config;

	private final TimeSource time;

	private final LeaderElectionRecord term;

	private final Consumer<ResourceLock.Version> seen;

	private final CompletableFuture<Void> done = new CompletableFuture<>();

	private boolean keeping = true;

	private Disposable request = Disposables.disposed();

	private Runnable next = () -> {
	};

	/**
	 * Creates the handover of the lock after a term.
	 * @param lock the lock
	 * @param config the times
	 * @param time clock and timer
	 * @param term the record that this replica last wrote or tried to write
	 * @param seen receives the lock each time the lock is read
	 */
	Handover(ResourceLock lock, LeaderElectionConfig config, TimeSource time, LeaderElectionRecord term,
			Consumer<ResourceLock.Version> seen) {
		this.lock = lock;
		this.requests = new LockRequests(lock, config, time);
		this.config = config;
		this.time = time;
		this.term = term;
		this.seen = seen;
	}

	/**
	 * Keeps the lock until the work of the term is done.
	 * @param work completes when all work of the term has ended
	 * @return a stage that completes when the lock is released, or left to expire
	 */
	CompletionStage<Void> after(CompletionStage<Void> work) {
		if (!work.toCompletableFuture().isDone()) {
			renew();
		}
		work.whenComplete((nothing, failure) -> end(this.config.releaseOnCancel()));
		return this.done.minimalCompletionStage();
	}

	private synchronized void renew() {
		if (this.keeping) {
			this.request = this.requests.update(this.term, this.term.renewed(now()), this.seen)
				.map((version) -> true)
				.defaultIfEmpty(false)
				.onErrorResume(this::failed)
				.subscribe(this::renewLater);
		}
	}

	private Mono<Boolean> failed(Throwable failure) {
		logger.debug("The lease {} could not be renewed, and listeners of this replica's last term are still busy",
				this.lock.describe(), failure);
		return Mono.just(true);
	}

	private synchronized void renewLater(boolean held) {
		if (!this.keeping) {
			return;
		}
		if (held) {
			this.next = this.time.schedule(this.config.retryPeriod(), this::renew);
		}
		else {
			logger.warn(
					"{} no longer holds the lease {}, but listeners of its last term are still busy. "
							+ "Another replica may deliver at the same time",
					this.lock.identity(), this.lock.describe());
		}
	}

	/** Leaves the lock to expire, even if work is still in progress. */
	void abandon() {
		end(false);
	}

	private synchronized void end(boolean release) {
		if (!this.keeping) {
			return;
		}
		this.keeping = false;
		this.next.run();
		this.request.dispose();
		if (release) {
			this.requests.update(this.term, this.term.released(now()), this.seen)
				.doOnNext((version) -> logger.info("{} has released the lease {}", this.lock.identity(),
						this.lock.describe()))
				.subscribe(null, this::notReleased, () -> this.done.complete(null));
		}
		else {
			this.done.complete(null);
		}
	}

	private void notReleased(Throwable failure) {
		logger.warn("The lease {} could not be released. Other replicas take over when it has expired",
				this.lock.describe(), failure);
		this.done.complete(null);
	}

	private Instant now() {
		return this.time.now().truncatedTo(ChronoUnit.MICROS);
	}

}
