package dev.reflector.client.internal.exchange;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

import dev.reflector.ResourceType;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.WatchOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.web.util.UriUtils;

/**
 * The URLs of one collection (sections 1.1 and 1.2 of the protocol).
 */
public final class CollectionUris {

	private final String base;

	private final ResourceType resourceType;

	private final String groupPath;

	private final String labelSelector;

	private final String fieldSelector;

	public CollectionUris(URI server, ResourceType resourceType, String labelSelector, String fieldSelector) {
		this.base = base(server);
		this.resourceType = resourceType;
		// W-01, W-02
		this.groupPath = resourceType.group().isEmpty() ? "/api/" + segment("version", resourceType.version())
				: "/apis/" + segment("group", resourceType.group()) + "/" + segment("version", resourceType.version());
		if (resourceType.plural() != null) {
			segment("plural", resourceType.plural());
		}
		this.labelSelector = labelSelector;
		this.fieldSelector = fieldSelector;
	}

	/**
	 * What all paths are appended to.
	 * @param server URL of the server
	 * @return the URL without slashes at its end
	 */
	public static String base(URI server) {
		String base = server.toString();
		while (base.endsWith("/")) {
			base = base.substring(0, base.length() - 1);
		}
		return base;
	}

	public ResourceType resourceType() {
		return this.resourceType;
	}

	public String labelSelector() {
		return this.labelSelector;
	}

	public String fieldSelector() {
		return this.fieldSelector;
	}

	public ApiRequest discovery() {
		return new ApiRequest("get", URI.create(this.base + this.groupPath), this.groupPath, this.resourceType.group(),
				"", null);
	}

	public ApiRequest list(String plural, ListOptions options) {
		Query query = new Query();
		selectors(query);
		query.add("resourceVersion", options.resourceVersion());
		query.add("resourceVersionMatch", options.exact() ? "Exact" : options.notOlderThan() ? "NotOlderThan" : "");
		query.add("limit", (options.limit() > 0) ? Integer.toString(options.limit()) : "");
		query.add("continue", options.continueToken());
		return request("list", plural, options.namespace(), query);
	}

	public ApiRequest watch(String plural, WatchOptions options) {
		Query query = new Query();
		selectors(query);
		if (options.sendInitialEvents()) {
			query.add("sendInitialEvents", "true");
			// W-06: the one does not go without the other
			query.add("resourceVersionMatch", "NotOlderThan");
		}
		query.add("resourceVersion", options.resourceVersion());
		// W-07: without bookmarks the end marker is not promised
		query.add("allowWatchBookmarks", (options.bookmarks() || options.sendInitialEvents()) ? "true" : "");
		long seconds = options.timeout().plusMillis(999).toSeconds();
		query.add("timeoutSeconds", (seconds > 0) ? Long.toString(seconds) : "");
		// W-03
		query.add("watch", "true");
		return request("watch", plural, options.namespace(), query);
	}

	private void selectors(Query query) {
		query.add("labelSelector", this.labelSelector);
		query.add("fieldSelector", this.fieldSelector);
	}

	private ApiRequest request(String verb, String plural, @Nullable String namespace, Query query) {
		String lowerCase = plural.toLowerCase(Locale.ROOT);
		String collection = "/" + segment("plural", lowerCase);
		boolean namespaced = namespace != null && !namespace.isEmpty();
		String inNamespace = namespaced ? "/namespaces/" + segment("namespace", namespace) : "";
		String template = this.groupPath + (namespaced ? "/namespaces/{namespace}" : "") + collection;
		return new ApiRequest(verb, URI.create(this.base + this.groupPath + inNamespace + collection + query), template,
				this.resourceType.group(), lowerCase, namespaced ? namespace : null);
	}

	private static String segment(String what, @Nullable String value) {
		// W-04
		if (value == null || value.isEmpty() || value.equals(".") || value.equals("..") || value.indexOf('/') >= 0
				|| value.indexOf('%') >= 0) {
			throw new IllegalArgumentException("the " + what + " '" + value + "' cannot stand in a URL");
		}
		return UriUtils.encode(value, StandardCharsets.UTF_8);
	}

	/**
	 * Query parameters; what is empty is left out.
	 */
	private static final class Query {

		private final StringBuilder text = new StringBuilder();

		public void add(String name, String value) {
			if (!value.isEmpty()) {
				this.text.append((this.text.length() == 0) ? '?' : '&')
					.append(name)
					.append('=')
					.append(UriUtils.encode(value, StandardCharsets.UTF_8));
			}
		}

		@Override
		public String toString() {
			return this.text.toString();
		}

	}

}
