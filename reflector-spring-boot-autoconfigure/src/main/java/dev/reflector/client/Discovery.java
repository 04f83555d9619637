package dev.reflector.client;

import java.time.Duration;
import java.util.List;

import dev.reflector.ResourceType;
import dev.reflector.cache.ApiException;
import dev.reflector.cache.Status;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks the server under which plural it serves a kind. What it has found it keeps; what
 * it has not found it asks for again each time, so a type that is installed later is
 * found.
 */
final class Discovery {

	private final ApiServerClient client;

	private final ResourceType type;

	private final ObjectReader reader;

	private volatile @Nullable String plural;

	Discovery(ApiServerClient client, ResourceType type, JsonMapper mapper) {
		this.client = client;
		this.type = type;
		this.reader = mapper.readerFor(ApiResourceList.class);
		this.plural = type.plural();
	}

	@Nullable String known() {
		return this.plural;
	}

	Mono<String> plural() {
		String known = this.plural;
		if (known != null) {
			return Mono.just(known);
		}
		String path = ApiPath.ofVersion(this.type);
		return this.client.get(path, new RequestDescription("get", path, this.type.toString(), null))
			.onErrorMap(ApiException.class, (ex) -> (ex.status().code() == 404) ? notServed(ex.status()) : ex)
			.map(this::find);
	}

	private String find(byte[] body) {
		try {
			ApiResourceList list = this.reader.readValue(body);
			List<ApiResource> resources = (list != null && list.resources() != null) ? list.resources() : List.of();
			for (ApiResource resource : resources) {
				// a name with a slash is a subresource
				if (resource != null && this.type.kind().equals(resource.kind()) && resource.name() != null
						&& resource.name().indexOf('/') < 0) {
					this.plural = resource.name();
					return resource.name();
				}
			}
		}
		catch (JacksonException ex) {
			throw new ApiException("the server's answer to discovery of " + this.type + " cannot be read",
					Status.undecodable(String.valueOf(ex.getOriginalMessage())), Duration.ZERO);
		}
		throw notServed(Status.ofHttp(404, ""));
	}

	private ApiException notServed(Status status) {
		return new ApiException(
				"the server does not serve " + this.type
						+ ": is its definition (CRD) installed, and are version and kind spelled as there?",
				status, Duration.ZERO);
	}

	record ApiResourceList(@Nullable List<@Nullable ApiResource> resources) {

	}

	record ApiResource(@Nullable String name, @Nullable String kind) {

	}

}
