package dev.reflector.client.internal.exchange;

import java.net.URI;

import dev.reflector.client.options.ObjectFormat;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;

/**
 * A request, with the texts for messages about its failure.
 *
 * @param verb the verb in the server's access rules, such as {@code list}
 * @param uri the complete URL
 * @param template the path with variables for namespace and name, for metrics
 * @param resource the collection in the form that {@code kubectl auth can-i} accepts,
 * empty for a request without a collection
 * @param namespace the namespace, or {@code null} for all namespaces
 * @param accept the value of the header {@code Accept}
 * @param body an object in JSON, or {@code null} for none
 */
public record ApiRequest(String verb, URI uri, String template, String resource, @Nullable String namespace,
		String accept, @Nullable String body) {

	private static final MediaType APPLY = MediaType.parseMediaType("application/apply-patch+yaml");

	/**
	 * Creates a GET request that does not concern a collection, such as discovery.
	 * @param server the URL of the server
	 * @param path the path of the request
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
	 * Returns the content type of the body. The only patch is server-side apply. Its
	 * content type is YAML, and JSON is valid YAML.
	 */
	MediaType contentType() {
		return this.verb.equals("patch") ? APPLY : MediaType.APPLICATION_JSON;
	}

	/**
	 * Returns whether the request accepts a format.
	 * @param format the format
	 * @return {@code true} if the response may have this format; JSON is always accepted
	 */
	boolean accepts(ObjectFormat format) {
		return switch (format) {
			case CBOR -> this.accept.contains(MediaTypes.CBOR);
			case PROTOBUF -> this.accept.contains(MediaTypes.PROTOBUF);
			default -> true;
		};
	}

	/** Returns whether the request accepts a format other than JSON. */
	boolean acceptsOther() {
		return accepts(ObjectFormat.CBOR) || accepts(ObjectFormat.PROTOBUF);
	}

	/**
	 * Returns the namespace in words, for messages.
	 * @return the text for one namespace or for all namespaces
	 */
	String scope() {
		return (this.namespace != null) ? "in namespace '" + this.namespace + "'" : "in all namespaces";
	}

	@Override
	public String toString() {
		return method() + " " + this.uri.getRawPath() + (this.verb.equals("watch") ? " (watch)" : "");
	}

}
