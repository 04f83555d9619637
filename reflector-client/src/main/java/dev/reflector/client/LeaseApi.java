package dev.reflector.client;

import java.net.URI;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

import dev.reflector.LeasePurpose;
import dev.reflector.ResourceType;
import dev.reflector.client.internal.exchange.ApiRequest;
import dev.reflector.client.internal.exchange.CollectionUris;
import dev.reflector.client.internal.exchange.Exchange;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and writes single {@code Lease} objects of a namespace. An update contains the
 * version that it replaces, so sending the update twice does no harm.
 */
final class LeaseApi {

	static final ResourceType TYPE = ResourceType.of("coordination.k8s.io/v1", "Lease", "leases");

	private static final String PLURAL = "leases";

	private static final String PURPOSE = "reflector.dev/purpose";

	private static final String APPLICATION = "reflector.dev/application";

	private static final String TYPES = "reflector.dev/types";

	private static final int MAX_BODY = 1024 * 1024;

	private static final JsonMapper JSON = JsonMapper.builder().build();

	/** The format of a {@code MicroTime}. The server accepts no other format. */
	private static final DateTimeFormatter MICRO_TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSX")
		.withZone(ZoneOffset.UTC);

	private final Exchange exchange;

	private final CollectionUris uris;

	private final String namespace;

	/**
	 * Creates the API of the Leases of a namespace. Makes no request.
	 * @throws IllegalArgumentException if a name cannot be part of a URL
	 */
	LeaseApi(Exchange exchange, URI server, String namespace, String name) {
		this.exchange = exchange;
		this.uris = new CollectionUris(server, TYPE, "", "");
		this.namespace = namespace;
		this.uris.get(PLURAL, namespace, name);
	}

	String namespace() {
		return this.namespace;
	}

	/** Returns a new Lease that is not yet created on the server. */
	ObjectNode newLease(String name) {
		ObjectNode lease = JSON.createObjectNode().put("apiVersion", TYPE.apiVersion()).put("kind", TYPE.kind());
		lease.putObject("metadata").put("namespace", this.namespace).put("name", name);
		lease.putObject("spec");
		return lease;
	}

	Mono<ObjectNode> get(String name) {
		return send(this.uris.get(PLURAL, this.namespace, name));
	}

	Mono<ObjectNode> create(ObjectNode lease) {
		return send(this.uris.create(PLURAL, this.namespace, lease.toString()));
	}

	Mono<ObjectNode> update(ObjectNode lease) {
		return send(this.uris.update(PLURAL, this.namespace, name(lease), lease.toString()));
	}

	/** Deletes a Lease, if it still has the version of the given object. */
	Mono<Void> delete(ObjectNode lease) {
		ObjectNode options = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "DeleteOptions");
		options.putObject("preconditions").put("resourceVersion", resourceVersion(lease));
		return send(this.uris.delete(PLURAL, this.namespace, name(lease), false, options.toString())).then();
	}

	private Mono<ObjectNode> send(ApiRequest request) {
		return this.exchange
			.send(request, (answer) -> answer.body(MAX_BODY).map((body) -> object(request, body)).flux())
			.next();
	}

	private static ObjectNode object(ApiRequest request, byte[] body) {
		try {
			if (JSON.readTree(body) instanceof ObjectNode object) {
				return object;
			}
		}
		catch (JacksonException ex) {
			// the exception is not kept as the cause, because its message quotes the
			// response
		}
		throw new IllegalStateException("the answer to " + request + " is no object");
	}

	static String name(JsonNode lease) {
		return lease.path("metadata").path("name").asString("");
	}

	static String resourceVersion(JsonNode lease) {
		return lease.path("metadata").path("resourceVersion").asString("");
	}

	/** Returns what a Lease is used for, according to its annotations. */
	static LeasePurpose purpose(JsonNode lease) {
		JsonNode annotations = lease.path("metadata").path("annotations");
		return new LeasePurpose(annotations.path(PURPOSE).asString(""), annotations.path(APPLICATION).asString(""),
				annotations.path(TYPES).asString(""));
	}

	/**
	 * Writes into a Lease what it is used for. If a value is not known, removes the value
	 * that an earlier holder has written.
	 */
	static void write(ObjectNode lease, LeasePurpose purpose) {
		ObjectNode annotations = lease.withObjectProperty("metadata").withObjectProperty("annotations");
		write(annotations, PURPOSE, purpose.purpose());
		write(annotations, APPLICATION, purpose.application());
		write(annotations, TYPES, purpose.types());
	}

	private static void write(ObjectNode annotations, String name, String value) {
		if (value.isEmpty()) {
			annotations.remove(name);
		}
		else {
			annotations.put(name, value);
		}
	}

	static @Nullable String text(@Nullable Instant time) {
		return (time != null) ? MICRO_TIME.format(time) : null;
	}

	static @Nullable Instant time(JsonNode spec, String field) {
		try {
			return Instant.parse(spec.path(field).asString(""));
		}
		catch (DateTimeParseException ex) {
			return null;
		}
	}

}
