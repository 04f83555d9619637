package dev.reflector.leaderelection;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.reflector.cache.config.TimeSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Requests about the lock, each limited to half of the renew deadline: so one that is not
 * answered does not cost the lead.
 */
final class LockRequests {

	private static final Logger logger = LoggerFactory.getLogger(LeaderElector.class);

	/** A request that was given up may still fail, which changes nothing. */
	private static final Context GIVEN_UP = Context.of("reactor.onErrorDropped.local",
			(Consumer<Throwable>) (error) -> logger.debug("A request for a lease that was given up has failed", error));

	private final ResourceLock lock;

	private final TimeSource time;

	private final Duration timeout;

	LockRequests(ResourceLock lock, LeaderElectionConfig config, TimeSource time) {
		this.lock = lock;
		this.time = time;
		this.timeout = config.renewDeadline().dividedBy(2);
	}

	/** The lock as it is now, empty when there is none. */
	Mono<ResourceLock.Version> read() {
		return limited(this.lock::get);
	}

	/** Writes over a version, or creates the lock. */
	Mono<ResourceLock.Version> write(Supplier<Mono<ResourceLock.Version>> write) {
		return limited(write);
	}

	/**
	 * Writes the next record of a term of this replica, if the lock still has the term.
	 * @param term a record of the term
	 * @param next the record
	 * @param seen hears of the lock as it was before
	 * @return the next version, empty when the lock no longer has the term
	 */
	Mono<ResourceLock.Version> update(LeaderElectionRecord term, LeaderElectionRecord next,
			Consumer<ResourceLock.Version> seen) {
		return read().doOnNext(seen)
			.filter((found) -> found.record().isSameTermAs(term))
			.flatMap((found) -> write(() -> found.update(next)))
			// a renewal that was cancelled may still arrive at the server
			.retry(1);
	}

	private <T> Mono<T> limited(Supplier<Mono<T>> request) {
		Mono<T> tooLate = Mono.create((sink) -> {
			Runnable cancel = this.time.schedule(this.timeout,
					() -> sink.error(new TimeoutException("no answer within " + this.timeout.toMillis() + " ms")));
			sink.onDispose(cancel::run);
		});
		return Mono.firstWithSignal(Mono.defer(request), tooLate).contextWrite(GIVEN_UP);
	}

}
