package dev.reflector.sharding.membership;

import java.util.List;
import java.util.function.Supplier;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.internal.lease.LeaseRequests;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Makes the requests of a membership. Each is limited to a third of the renew deadline,
 * so that the Lease is not lost because of one request without a response.
 */
final class MemberRequests {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.sharding.membership.ShardMembership");

	private final MemberStore store;

	private final LeaseRequests requests;

	MemberRequests(MemberStore store, ShardMembershipConfig config, TimeSource time) {
		this.store = store;
		this.requests = new LeaseRequests(time, config.renewDeadline().dividedBy(3), logger);
	}

	Mono<List<MemberLease>> list() {
		return this.requests.limited(this.store::list);
	}

	Mono<MemberLease> write(OwnLease lease, MemberRecord record) {
		Supplier<Mono<MemberLease>> write = lease.write(record);
		return this.requests.limited(write);
	}

	/**
	 * Deletes Leases. Failures are ignored, because other replicas may have deleted them
	 * already.
	 */
	Mono<Void> delete(List<MemberLease> leases) {
		return Flux.fromIterable(leases)
			.concatMap((lease) -> this.requests.limited(lease::delete).onErrorResume((failure) -> {
				logger.debug("The lease of {} was not deleted", lease.identity(), failure);
				return Mono.empty();
			}))
			.then();
	}

}
