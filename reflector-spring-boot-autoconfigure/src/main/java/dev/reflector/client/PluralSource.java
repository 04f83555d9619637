package dev.reflector.client;

import java.io.ByteArrayOutputStream;
import java.time.Duration;

import dev.reflector.ResourceType;
import dev.reflector.cache.ApiException;
import dev.reflector.cache.Status;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The plural of a collection: as declared, or as the server's discovery tells it.
 * Remembers success only.
 */
final class PluralSource {

	private static final int MAX_BODY = 16 * 1024 * 1024;

	private final Exchange exchange;

	private final CollectionUris uris;

	private final JsonMapper mapper;

	private volatile @Nullable String plural;

	PluralSource(Exchange exchange, CollectionUris uris, JsonMapper mapper) {
		this.exchange = exchange;
		this.uris = uris;
		this.mapper = mapper;
		this.plural = uris.resourceType().plural();
	}

	@Nullable String known() {
		return this.plural;
	}

	/**
	 * Forgets what discovery said; the next request asks again.
	 */
	void forget() {
		this.plural = this.uris.resourceType().plural();
	}

	Mono<String> plural() {
		return Mono.defer(() -> {
			String known = this.plural;
			return (known != null) ? Mono.just(known) : discover();
		});
	}

	private Mono<String> discover() {
		ApiRequest request = this.uris.discovery();
		return this.exchange.get(request, this::read)
			.single()
			.onErrorMap(ApiException.class, this::explain)
			.onErrorMap(MalformedResponseException.class,
					(ex) -> new MalformedResponseException(request + ": " + ex.getMessage(), ex))
			.map((resources) -> find(request, resources))
			.doOnNext((plural) -> this.plural = plural);
	}

	private Flux<JsonNode> read(Flux<byte[]> body) {
		return body.collect(ByteArrayOutputStream::new, (buffer, bytes) -> {
			if (buffer.size() + bytes.length > MAX_BODY) {
				throw new MalformedResponseException(
						"the answer to API discovery is larger than " + MAX_BODY + " bytes");
			}
			buffer.write(bytes, 0, bytes.length);
		}).map((buffer) -> resources(buffer.toByteArray())).flux();
	}

	private JsonNode resources(byte[] body) {
		try {
			JsonNode resources = this.mapper.readTree(body).path("resources");
			if (resources.isArray()) {
				return resources;
			}
		}
		catch (JacksonException ex) {
			throw new MalformedResponseException("the answer to API discovery is no JSON", ex);
		}
		throw new MalformedResponseException("the answer to API discovery is no APIResourceList");
	}

	private String find(ApiRequest request, JsonNode resources) {
		for (JsonNode resource : resources) {
			String name = resource.path("name").asString("");
			boolean subresource = name.isEmpty() || name.indexOf('/') >= 0;
			if (!subresource && this.uris.resourceType().kind().equals(resource.path("kind").asString(""))) {
				return name;
			}
		}
		String message = missing("kind");
		throw new ApiException(message + " (" + request + ")", Status.ofHttp(404, message), Duration.ZERO);
	}

	private ApiException explain(ApiException ex) {
		return (ex.status().code() != 404) ? ex : new ApiException(
				missing("API group and version") + " (" + ex.getMessage() + ")", ex.status(), ex.retryAfter());
	}

	private String missing(String what) {
		return "the server does not serve " + this.uris.resourceType() + ": it has no such " + what
				+ "; its CRD may not be installed, or apiVersion or kind are misspelt";
	}

}
