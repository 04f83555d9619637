package dev.reflector.client.internal.exchange;

import java.net.URI;

import dev.reflector.client.options.ObjectFormat;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;

/**
 * A request, with the texts that its failure message needs.
 *
 * @param verb verb in the terms of the server's access rules
 * @param uri complete URL
 * @param template path with a variable for the namespace, for metrics
 * @param resource the collection in the form that {@code kubectl auth can-i} understands,
 * empty for discovery
 * @param namespace the namespace, or {@code null} for all
 * @param accept value of the header {@code Accept}
 * @param body an object in JSON, {@code null} for none
 */
public record ApiRequest(String verb, URI uri, String template, String resource, @Nullable String namespace,
		String accept, @Nullable String body) {

	private static final MediaType APPLY = MediaType.parseMediaType("application/apply-patch+yaml");

	/**
	 * Creates a request for something else than a collection.
	 * @param server URL of the server
	 * @param path path of the request
	 * @return the request
	 */
	public static ApiRequest get(URI server, String path) {
		return new ApiRequest("get", URI.create(base(server) + path), path, "", null, MediaType.APPLICATION_JSON_VALUE,
				null);
	}

	/** Returns the URL without slashes at its end. */
	static String base(URI server) {
		return server.toString().replaceFirst("/+$", "");
	}

	public ApiRequest accepting(String accept) {
		return new ApiRequest(this.verb, this.uri, this.template, this.resource, this.namespace, accept, this.body);
	}

	ApiRequest withBody(String body) {
		return new ApiRequest(this.verb, this.uri, this.template, this.resource, this.namespace, this.accept, body);
	}

	ApiRequest ofSubresource(String subresource) {
		return new ApiRequest(this.verb, this.uri, this.template + "/" + subresource, this.resource + "/" + subresource,
				this.namespace, this.accept, this.body);
	}

	HttpMethod method() {
		return switch (this.verb) {
			case "create" -> HttpMethod.POST;
			case "update" -> HttpMethod.PUT;
			case "patch" -> HttpMethod.PATCH;
			case "delete" -> HttpMethod.DELETE;
			default -> HttpMethod.GET;
		};
	}

	/**
	 * Returns the content type. The only patch is that of server-side apply, for which
	 * JSON is valid YAML.
	 */
	MediaType contentType() {
		return this.verb.equals("patch") ? APPLY : MediaType.APPLICATION_JSON;
	}

	/**
	 * Whether a format was requested.
	 * @param format the format
	 * @return whether the response may have this format; it may always be JSON
	 */
	boolean accepts(ObjectFormat format) {
		return switch (format) {
			case CBOR -> this.accept.contains(MediaTypes.CBOR);
			case PROTOBUF -> this.accept.contains(MediaTypes.PROTOBUF);
			default -> true;
		};
	}

	/** Whether another format than JSON was requested. */
	boolean acceptsOther() {
		return accepts(ObjectFormat.CBOR) || accepts(ObjectFormat.PROTOBUF);
	}

	/**
	 * Returns the namespace in words.
	 * @return the text for one namespace or for all
	 */
	String scope() {
		return (this.namespace != null) ? "in namespace '" + this.namespace + "'" : "in all namespaces";
	}

	@Override
	public String toString() {
		return method() + " " + this.uri.getRawPath() + (this.verb.equals("watch") ? " (watch)" : "");
	}

}
