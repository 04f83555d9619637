package dev.reflector.client;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;

import dev.reflector.ResourceType;
import dev.reflector.cache.ApiException;
import dev.reflector.cache.Status;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * The plural of a collection: as declared, or as the server's discovery tells it.
 * Remembers success only.
 */
final class PluralSource {

	private static final int MAX_BODY = 16 * 1024 * 1024;

	private final Exchange exchange;

	private final CollectionUris uris;

	private final ObjectReader reader;

	private volatile @Nullable String plural;

	PluralSource(Exchange exchange, CollectionUris uris, JsonMapper mapper) {
		this.exchange = exchange;
		this.uris = uris;
		this.reader = mapper.readerFor(ApiResourceList.class);
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
			.map((list) -> find(request, list))
			.doOnNext((plural) -> this.plural = plural)
			.onErrorMap(ApiException.class, this::explain);
	}

	private Flux<ApiResourceList> read(Flux<byte[]> body) {
		return body.collect(ByteArrayOutputStream::new, (buffer, bytes) -> {
			if (buffer.size() + bytes.length > MAX_BODY) {
				throw new MalformedResponseException(
						"the answer to API discovery is larger than " + MAX_BODY + " bytes");
			}
			buffer.write(bytes, 0, bytes.length);
		}).map((buffer) -> {
			try {
				ApiResourceList list = this.reader.readValue(buffer.toByteArray());
				if (list != null && list.resources() != null) {
					return list;
				}
			}
			catch (JacksonException ex) {
				throw new MalformedResponseException("the answer to API discovery is no JSON", ex);
			}
			throw new MalformedResponseException("the answer to API discovery is no APIResourceList");
		}).flux();
	}

	private String find(ApiRequest request, ApiResourceList list) {
		List<ApiResource> resources = (list.resources() != null) ? list.resources() : List.of();
		for (ApiResource resource : resources) {
			String name = resource.name();
			boolean subresource = name == null || name.isEmpty() || name.indexOf('/') >= 0;
			if (!subresource && this.uris.resourceType().kind().equals(resource.kind())) {
				return name;
			}
		}
		String message = missing("kind");
		throw new ApiException(request + " does not name it: " + message, Status.ofHttp(404, message), Duration.ZERO);
	}

	private Throwable explain(ApiException ex) {
		boolean explained = ex.status().code() != 404 || ex.status().message().equals(missing("kind"));
		return explained ? ex : new ApiException(missing("API group and version") + ": " + ex.getMessage(), ex.status(),
				ex.retryAfter());
	}

	private String missing(String what) {
		ResourceType type = this.uris.resourceType();
		return "the server does not serve " + type + ": it has no such " + what
				+ "; its CRD may not be installed, or apiVersion or kind are misspelt";
	}

	/**
	 * The answer of discovery.
	 *
	 * @param resources what a group serves in a version
	 */
	record ApiResourceList(@Nullable List<ApiResource> resources) {

	}

	/**
	 * A collection or a subresource.
	 *
	 * @param name plural, with a slash for a subresource
	 * @param kind kind of the objects
	 */
	record ApiResource(@Nullable String name, @Nullable String kind) {

	}

}
