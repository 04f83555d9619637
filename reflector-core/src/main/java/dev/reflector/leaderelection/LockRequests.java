package dev.reflector.leaderelection;

import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.internal.lease.LeaseRequests;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Makes requests about the lock. Each is limited to half of the renew deadline, so that
 * one request without a response does not end the leadership.
 */
final class LockRequests {

	private final ResourceLock lock;

	private final LeaseRequests requests;

	LockRequests(ResourceLock lock, LeaderElectionConfig config, TimeSource time) {
		this.lock = lock;
		this.requests = new LeaseRequests(time, config.renewDeadline().dividedBy(2),
				LoggerFactory.getLogger(LeaderElector.class));
	}

	/** Reads the lock as it is now, empty when there is none. */
	Mono<ResourceLock.Version> read() {
		return this.requests.limited(this.lock::get);
	}

	/** Replaces a version of the lock, or creates the lock. */
	Mono<ResourceLock.Version> write(Supplier<Mono<ResourceLock.Version>> write) {
		return this.requests.limited(write);
	}

	/**
	 * Writes the next record of a term of this replica, if the lock still belongs to that
	 * term.
	 * @param term a record of the term
	 * @param next the record to write
	 * @param seen receives the lock as it was read before the write
	 * @return the next version, empty if the lock no longer belongs to the term
	 */
	Mono<ResourceLock.Version> update(LeaderElectionRecord term, LeaderElectionRecord next,
			Consumer<ResourceLock.Version> seen) {
		return read().doOnNext(seen)
			.filter((found) -> found.record().isSameTermAs(term))
			.flatMap((found) -> write(() -> found.update(next)))
			// a canceled renewal may still arrive at the server and cause a conflict
			.retry(1);
	}

}
