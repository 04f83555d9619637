package dev.reflector.client;

import org.jspecify.annotations.Nullable;

/**
 * A request, as messages and logs name it.
 *
 * @param verb verb of the API: {@code list}, {@code watch} or {@code get}
 * @param path path of the URL
 * @param resource name of the resource with its group
 * @param namespace the namespace, or {@code null} for all
 */
record RequestDescription(String verb, String path, String resource, @Nullable String namespace) {

	String permission() {
		return "'" + this.verb + "' on '" + this.resource + "' "
				+ ((this.namespace != null) ? "in the namespace '" + this.namespace + "'" : "in all namespaces");
	}

	@Override
	public String toString() {
		return this.verb + " " + this.path;
	}

}
