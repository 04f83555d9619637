package dev.reflector.client.internal.exchange;

import java.net.URI;

import org.jspecify.annotations.Nullable;

import org.springframework.http.MediaType;

/**
 * A GET request, with what its failure is to say.
 *
 * @param verb verb in the terms of the server's access rules
 * @param uri complete URL
 * @param template path with its variable part left open, for metrics
 * @param group API group, empty for the core group
 * @param plural the collection, empty for discovery
 * @param namespace the namespace, or {@code null} for all
 * @param accept value of the header {@code Accept}
 */
public record ApiRequest(String verb, URI uri, String template, String group, String plural, @Nullable String namespace,
		String accept) {

	public ApiRequest(String verb, URI uri, String template, String group, String plural, @Nullable String namespace) {
		this(verb, uri, template, group, plural, namespace, MediaType.APPLICATION_JSON_VALUE);
	}

	public ApiRequest accepting(String accept) {
		return new ApiRequest(this.verb, this.uri, this.template, this.group, this.plural, this.namespace, accept);
	}

	/**
	 * The collection in the form that {@code kubectl auth can-i} understands.
	 * @return plural and group
	 */
	String resource() {
		return this.group.isEmpty() ? this.plural : this.plural + "." + this.group;
	}

	/**
	 * Where in the cluster the request looks.
	 * @return the namespace in words
	 */
	String scope() {
		return (this.namespace != null) ? "in namespace '" + this.namespace + "'" : "in all namespaces";
	}

	@Override
	public String toString() {
		return "GET " + this.uri.getRawPath() + (this.verb.equals("watch") ? " (watch)" : "");
	}

}
