package dev.reflector.autoconfigure.internal.connection;

import java.util.List;

import dev.reflector.cache.source.ApiException;
import dev.reflector.leaderelection.LeaderElectionRecord;
import dev.reflector.leaderelection.ResourceLock;
import dev.reflector.sharding.membership.MemberLease;
import dev.reflector.sharding.membership.MemberRecord;
import dev.reflector.sharding.membership.MemberStore;
import reactor.core.publisher.Mono;

/**
 * Logs the missing permissions when the server forbids requests for Leases.
 *
 * @param advice logs the missing permissions
 */
public record AdvisedLeases(PermissionAdvice advice) {

	private static final int FORBIDDEN = 403;

	/**
	 * Wraps the lock of an election, so that missing permissions are logged.
	 * @param lock the lock
	 * @return a lock that logs missing permissions
	 */
	public ResourceLock lock(ResourceLock lock) {
		return new Lock(lock, new Advised(lock.describe()));
	}

	/**
	 * Wraps the store of the Leases of replicas that divide slots, so that missing
	 * permissions are logged.
	 * @param store the store of the Leases
	 * @return a store that logs missing permissions
	 */
	public MemberStore members(MemberStore store) {
		return new Members(store, new Advised(store.describe()));
	}

	private final class Advised {

		private final String leases;

		private Advised(String leases) {
			this.leases = leases;
		}

		<T> Mono<T> request(Mono<T> request) {
			return request.doOnError(ApiException.class, (answered) -> {
				if (answered.status().code() == FORBIDDEN) {
					AdvisedLeases.this.advice.forbiddenLeases(this.leases, answered);
				}
			});
		}

	}

	private record Lock(ResourceLock lock, Advised advised) implements ResourceLock {

		@Override
		public String identity() {
			return this.lock.identity();
		}

		@Override
		public String describe() {
			return this.lock.describe();
		}

		@Override
		public Mono<Version> get() {
			return this.advised.request(this.lock.get()).map(this::version);
		}

		@Override
		public Mono<Version> create(LeaderElectionRecord record) {
			return this.advised.request(this.lock.create(record)).map(this::version);
		}

		private Version version(Version version) {
			return new LockVersion(version, this.advised);
		}

	}

	private record LockVersion(ResourceLock.Version version, Advised advised) implements ResourceLock.Version {

		@Override
		public LeaderElectionRecord record() {
			return this.version.record();
		}

		@Override
		public String resourceVersion() {
			return this.version.resourceVersion();
		}

		@Override
		public Mono<ResourceLock.Version> update(LeaderElectionRecord record) {
			return this.advised.request(this.version.update(record)).map((next) -> new LockVersion(next, this.advised));
		}

	}

	private record Members(MemberStore store, Advised advised) implements MemberStore {

		@Override
		public String identity() {
			return this.store.identity();
		}

		@Override
		public String describe() {
			return this.store.describe();
		}

		@Override
		public Mono<List<MemberLease>> list() {
			return this.advised.request(this.store.list()).map((leases) -> leases.stream().map(this::lease).toList());
		}

		@Override
		public Mono<MemberLease> create(MemberRecord record) {
			return this.advised.request(this.store.create(record)).map(this::lease);
		}

		private MemberLease lease(MemberLease lease) {
			return new Member(lease, this.advised);
		}

	}

	private record Member(MemberLease lease, Advised advised) implements MemberLease {

		@Override
		public String identity() {
			return this.lease.identity();
		}

		@Override
		public String resourceVersion() {
			return this.lease.resourceVersion();
		}

		@Override
		public MemberRecord record() {
			return this.lease.record();
		}

		@Override
		public Mono<MemberLease> update(MemberRecord record) {
			return this.advised.request(this.lease.update(record)).map((next) -> new Member(next, this.advised));
		}

		@Override
		public Mono<Void> delete() {
			return this.advised.request(this.lease.delete());
		}

	}

}
