package dev.reflector.client;

import dev.reflector.cache.source.ApiException;
import dev.reflector.leaderelection.LeaderElectionRecord;
import dev.reflector.leaderelection.ResourceLock;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A lock in a {@code Lease} of the API server. Updates keep the content that others have
 * written into the lease, such as labels, and name the version that they replace.
 */
final class LeaseLock implements ResourceLock {

	private static final int NOT_FOUND = 404;

	private final LeaseApi requests;

	private final String name;

	private final String identity;

	LeaseLock(LeaseApi requests, String name, String identity) {
		this.requests = requests;
		this.name = name;
		this.identity = identity;
	}

	@Override
	public String identity() {
		return this.identity;
	}

	@Override
	public String describe() {
		return this.requests.namespace() + "/" + this.name;
	}

	@Override
	public Mono<Version> get() {
		return this.requests.get(this.name)
			.map(this::version)
			.onErrorResume((ex) -> ex instanceof ApiException refusal && refusal.status().code() == NOT_FOUND,
					(ex) -> Mono.empty());
	}

	@Override
	public Mono<Version> create(LeaderElectionRecord record) {
		ObjectNode lease = this.requests.newLease(this.name);
		write(record, lease.withObjectProperty("spec"));
		return this.requests.create(lease).map(this::version);
	}

	private Mono<Version> update(ObjectNode before, LeaderElectionRecord record) {
		ObjectNode lease = before.deepCopy();
		write(record, lease.withObjectProperty("spec"));
		return this.requests.update(lease).map(this::version);
	}

	private Version version(ObjectNode lease) {
		return new LeaseVersion(lease);
	}

	private static void write(LeaderElectionRecord record, ObjectNode spec) {
		spec.put("holderIdentity", record.holderIdentity())
			.put("leaseDurationSeconds", record.leaseDurationSeconds())
			.put("acquireTime", LeaseApi.text(record.acquireTime()))
			.put("renewTime", LeaseApi.text(record.renewTime()))
			.put("leaseTransitions", record.leaderTransitions());
	}

	/** The lease in one version. */
	private final class LeaseVersion implements Version {

		private final ObjectNode lease;

		private final LeaderElectionRecord record;

		LeaseVersion(ObjectNode lease) {
			JsonNode spec = lease.path("spec");
			this.lease = lease;
			this.record = new LeaderElectionRecord(spec.path("holderIdentity").asString(""),
					spec.path("leaseDurationSeconds").asInt(0), LeaseApi.time(spec, "acquireTime"),
					LeaseApi.time(spec, "renewTime"), spec.path("leaseTransitions").asInt(0));
		}

		@Override
		public LeaderElectionRecord record() {
			return this.record;
		}

		@Override
		public String resourceVersion() {
			return LeaseApi.resourceVersion(this.lease);
		}

		@Override
		public Mono<Version> update(LeaderElectionRecord next) {
			return LeaseLock.this.update(this.lease, next);
		}

	}

}
