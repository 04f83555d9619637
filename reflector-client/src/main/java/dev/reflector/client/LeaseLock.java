package dev.reflector.client;

import java.net.URI;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

import dev.reflector.ResourceType;
import dev.reflector.cache.source.ApiException;
import dev.reflector.client.internal.exchange.ApiRequest;
import dev.reflector.client.internal.exchange.CollectionUris;
import dev.reflector.client.internal.exchange.Exchange;
import dev.reflector.leaderelection.LeaderElectionRecord;
import dev.reflector.leaderelection.ResourceLock;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A lock in a {@code Lease} of the API server. Updates keep what others have written into
 * the lease, such as labels, and name the version that they replace.
 */
final class LeaseLock implements ResourceLock {

	private static final String API_VERSION = "coordination.k8s.io/v1";

	private static final String PLURAL = "leases";

	private static final int MAX_BODY = 1024 * 1024;

	private static final int NOT_FOUND = 404;

	private static final JsonMapper JSON = JsonMapper.builder().build();

	/** The server reads no other form of a {@code MicroTime}. */
	private static final DateTimeFormatter MICRO_TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSX")
		.withZone(ZoneOffset.UTC);

	private final Exchange exchange;

	private final CollectionUris uris;

	private final String namespace;

	private final String name;

	private final String identity;

	LeaseLock(Exchange exchange, URI server, String namespace, String name, String identity) {
		this.exchange = exchange;
		this.uris = new CollectionUris(server, ResourceType.of(API_VERSION, "Lease", PLURAL), "", "");
		this.namespace = namespace;
		this.name = name;
		this.identity = identity;
		this.uris.get(PLURAL, namespace, name);
	}

	@Override
	public String identity() {
		return this.identity;
	}

	@Override
	public String describe() {
		return this.namespace + "/" + this.name;
	}

	@Override
	public Mono<Version> get() {
		return send(this.uris.get(PLURAL, this.namespace, this.name)).onErrorResume(
				(ex) -> ex instanceof ApiException refusal && refusal.status().code() == NOT_FOUND,
				(ex) -> Mono.empty());
	}

	@Override
	public Mono<Version> create(LeaderElectionRecord record) {
		ObjectNode lease = JSON.createObjectNode().put("apiVersion", API_VERSION).put("kind", "Lease");
		lease.putObject("metadata").put("namespace", this.namespace).put("name", this.name);
		write(record, lease.putObject("spec"));
		return send(this.uris.create(PLURAL, this.namespace, lease.toString()));
	}

	private Mono<Version> update(ObjectNode before, LeaderElectionRecord record) {
		ObjectNode lease = before.deepCopy();
		write(record, lease.withObjectProperty("spec"));
		return send(this.uris.update(PLURAL, this.namespace, this.name, lease.toString()));
	}

	private Mono<Version> send(ApiRequest request) {
		return this.exchange.send(request, (answer) -> answer.body(MAX_BODY).map(this::version).flux()).next();
	}

	private Version version(byte[] body) {
		if (!(JSON.readTree(body) instanceof ObjectNode lease)) {
			throw new IllegalStateException("the answer about the lease " + describe() + " is no object");
		}
		return new LeaseVersion(lease);
	}

	private static void write(LeaderElectionRecord record, ObjectNode spec) {
		spec.put("holderIdentity", record.holderIdentity())
			.put("leaseDurationSeconds", record.leaseDurationSeconds())
			.put("acquireTime", text(record.acquireTime()))
			.put("renewTime", text(record.renewTime()))
			.put("leaseTransitions", record.leaderTransitions());
	}

	private static @Nullable String text(@Nullable Instant time) {
		return (time != null) ? MICRO_TIME.format(time) : null;
	}

	private static @Nullable Instant time(JsonNode spec, String field) {
		try {
			return Instant.parse(spec.path(field).asString(""));
		}
		catch (DateTimeParseException ex) {
			return null;
		}
	}

	/** The lease in one version. */
	private final class LeaseVersion implements Version {

		private final ObjectNode lease;

		private final LeaderElectionRecord record;

		LeaseVersion(ObjectNode lease) {
			JsonNode spec = lease.path("spec");
			this.lease = lease;
			this.record = new LeaderElectionRecord(spec.path("holderIdentity").asString(""),
					spec.path("leaseDurationSeconds").asInt(0), time(spec, "acquireTime"), time(spec, "renewTime"),
					spec.path("leaseTransitions").asInt(0));
		}

		@Override
		public LeaderElectionRecord record() {
			return this.record;
		}

		@Override
		public String resourceVersion() {
			return this.lease.path("metadata").path("resourceVersion").asString("");
		}

		@Override
		public Mono<Version> update(LeaderElectionRecord next) {
			return LeaseLock.this.update(this.lease, next);
		}

	}

}
