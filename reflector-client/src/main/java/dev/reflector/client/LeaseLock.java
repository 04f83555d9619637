package dev.reflector.client;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import dev.reflector.LeasePurpose;
import dev.reflector.PrintableText;
import dev.reflector.cache.source.ApiException;
import dev.reflector.leaderelection.LeaderElectionRecord;
import dev.reflector.leaderelection.LeaderElector;
import dev.reflector.leaderelection.ResourceLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A lock in a {@code Lease} of the API server. An update contains the version that it
 * replaces. An update also keeps what others have written into the Lease, such as labels.
 * The holder writes into the Lease what it uses the Lease for. A replica that uses the
 * Lease for something else logs a warning.
 */
final class LeaseLock implements ResourceLock {

	private static final Logger logger = LoggerFactory.getLogger(LeaderElector.class);

	private static final int NOT_FOUND = 404;

	private final LeaseApi requests;

	private final String name;

	private final String identity;

	private final Supplier<LeasePurpose> purpose;

	/**
	 * How the holder's purpose differed from the purpose of this replica when they were
	 * last compared; empty if they were the same. A warning is logged only if this text
	 * changes.
	 */
	private final AtomicReference<String> foreign = new AtomicReference<>("");

	LeaseLock(LeaseApi requests, String name, String identity, Supplier<LeasePurpose> purpose) {
		this.requests = requests;
		this.name = name;
		this.identity = identity;
		this.purpose = purpose;
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
			.doOnNext(this::check)
			.<Version>map((version) -> version)
			.onErrorResume((ex) -> ex instanceof ApiException refusal && refusal.status().code() == NOT_FOUND,
					(ex) -> Mono.empty());
	}

	@Override
	public Mono<Version> create(LeaderElectionRecord record) {
		ObjectNode lease = this.requests.newLease(this.name);
		write(record, lease);
		return this.requests.create(lease).map(this::version);
	}

	private Mono<Version> update(ObjectNode before, LeaderElectionRecord record) {
		ObjectNode lease = before.deepCopy();
		write(record, lease);
		return this.requests.update(lease).map(this::version);
	}

	private LeaseVersion version(ObjectNode lease) {
		return new LeaseVersion(lease);
	}

	private void check(LeaseVersion found) {
		String holder = found.record().holderIdentity();
		if (holder.isEmpty() || holder.equals(this.identity)) {
			return;
		}
		String difference = this.purpose.get().difference(LeaseApi.purpose(found.lease));
		if (!difference.equals(this.foreign.getAndSet(difference)) && !difference.isEmpty()) {
			logger.warn(
					"The lease {} is held by '{}', which {}. Only one of all replicas that use a lease leads. Unless "
							+ "this is a rollout, use separate leases ('reflector.leader-election.name')",
					describe(), PrintableText.of(holder), difference);
		}
	}

	private void write(LeaderElectionRecord record, ObjectNode lease) {
		LeaseApi.write(lease, this.purpose.get());
		lease.withObjectProperty("spec")
			.put("holderIdentity", record.holderIdentity())
			.put("leaseDurationSeconds", record.leaseDurationSeconds())
			.put("acquireTime", LeaseApi.text(record.acquireTime()))
			.put("renewTime", LeaseApi.text(record.renewTime()))
			.put("leaseTransitions", record.leaderTransitions());
	}

	/** One version of the Lease. */
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
