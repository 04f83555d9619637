package dev.reflector.sharding.membership;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.reflector.cache.config.TimeSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Requests of a membership, each limited to a third of the renew deadline: so one that is
 * not answered does not cost the Lease.
 */
final class MemberRequests {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.sharding.membership.ShardMembership");

	/** A request that was given up may still fail, which was reported. */
	private static final Context LATE_FAILURES = Context.of("reactor.onErrorDropped.local",
			(Consumer<Throwable>) (failure) -> logger.debug("A request that was given up has failed", failure));

	private final MemberStore store;

	private final Duration timeout;

	private final TimeSource time;

	MemberRequests(MemberStore store, ShardMembershipConfig config, TimeSource time) {
		this.store = store;
		this.timeout = config.renewDeadline().dividedBy(3);
		this.time = time;
	}

	Mono<List<MemberLease>> list() {
		return limited(this.store::list);
	}

	Mono<MemberLease> write(OwnLease lease, MemberRecord record) {
		Supplier<Mono<MemberLease>> write = lease.write(record);
		return limited(write);
	}

	/** Others may be faster. */
	Mono<Void> delete(List<MemberLease> leases) {
		return Flux.fromIterable(leases).concatMap((lease) -> limited(lease::delete).onErrorResume((failure) -> {
			logger.debug("The lease of {} was not deleted", lease.identity(), failure);
			return Mono.empty();
		})).then();
	}

	private <T> Mono<T> limited(Supplier<Mono<T>> request) {
		Mono<T> tooLate = Mono.create((sink) -> {
			Runnable cancel = this.time.schedule(this.timeout,
					() -> sink.error(new TimeoutException("no answer within " + this.timeout.toMillis() + " ms")));
			sink.onDispose(cancel::run);
		});
		return Mono.firstWithSignal(Mono.defer(request), tooLate).contextWrite(LATE_FAILURES);
	}

}
