package dev.reflector.client.internal.exchange;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListOptions.ResourceVersionMatch;
import dev.reflector.cache.source.WatchOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.http.MediaType;
import org.springframework.web.util.UriUtils;

/** Creates the requests for one collection and its objects. */
public final class CollectionUris {

	private final URI server;

	private final String group;

	private final String groupPath;

	private final String labelSelector;

	private final String fieldSelector;

	public CollectionUris(URI server, ResourceType resourceType, String labelSelector, String fieldSelector) {
		this.server = URI.create(ApiRequest.base(server));
		this.group = resourceType.group();
		// W-01, W-02: the core group is below /api, all others are below /apis
		this.groupPath = resourceType.group().isEmpty() ? "/api/" + segment("version", resourceType.version())
				: "/apis/" + segment("group", resourceType.group()) + "/" + segment("version", resourceType.version());
		if (resourceType.plural() != null) {
			segment("plural", resourceType.plural());
		}
		this.labelSelector = labelSelector;
		this.fieldSelector = fieldSelector;
	}

	public String labelSelector() {
		return this.labelSelector;
	}

	public String fieldSelector() {
		return this.fieldSelector;
	}

	/** Creates the request for all types of the collection's API version. */
	public ApiRequest discovery() {
		return ApiRequest.get(this.server, this.groupPath);
	}

	public ApiRequest list(String plural, ListOptions options) {
		Query query = new Query();
		selectors(query);
		query.add("resourceVersion", options.resourceVersion());
		query.add("resourceVersionMatch", match(options.resourceVersionMatch()));
		query.add("shardSelector", options.shardSelector());
		query.add("limit", (options.limit() > 0) ? Integer.toString(options.limit()) : "");
		query.add("continue", options.continueToken());
		return request("list", plural, options.namespace(), query.toString());
	}

	private static String match(@Nullable ResourceVersionMatch match) {
		return (match == null) ? "" : (match == ResourceVersionMatch.EXACT) ? "Exact" : "NotOlderThan";
	}

	public ApiRequest watch(String plural, WatchOptions options) {
		Query query = new Query();
		selectors(query);
		if (options.sendInitialEvents()) {
			query.add("sendInitialEvents", "true");
			// W-06: the server refuses one parameter without the other
			query.add("resourceVersionMatch", "NotOlderThan");
		}
		query.add("resourceVersion", options.resourceVersion());
		query.add("shardSelector", options.shardSelector());
		// W-07: without bookmarks, the server need not mark the end of the initial events
		query.add("allowWatchBookmarks", (options.bookmarks() || options.sendInitialEvents()) ? "true" : "");
		long seconds = options.timeout().plusMillis(999).toSeconds();
		query.add("timeoutSeconds", (seconds > 0) ? Long.toString(seconds) : "");
		query.add("watch", "true");
		return request("watch", plural, options.namespace(), query.toString());
	}

	private void selectors(Query query) {
		query.add("labelSelector", this.labelSelector);
		query.add("fieldSelector", this.fieldSelector);
	}

	public ApiRequest get(String plural, String namespace, String name) {
		return request("get", plural, namespace, "/" + segment("name", name));
	}

	public ApiRequest create(String plural, String namespace, String body) {
		return request("create", plural, namespace, "").withBody(body);
	}

	public ApiRequest update(String plural, String namespace, String name, String body) {
		return request("update", plural, namespace, "/" + segment("name", name)).withBody(body);
	}

	/**
	 * Creates a request that deletes an object. A dry run is also marked in the URL, for
	 * logs and proxies.
	 * @param plural the plural
	 * @param namespace the namespace, empty for none
	 * @param name the name
	 * @param dryRun whether this is a dry run; must be the same as in the options
	 * @param options the {@code DeleteOptions}
	 * @return the request
	 */
	public ApiRequest delete(String plural, String namespace, String name, boolean dryRun, String options) {
		Query query = new Query();
		query.add("dryRun", dryRun ? "All" : "");
		return request("delete", plural, namespace, "/" + segment("name", name) + query).withBody(options);
	}

	/**
	 * Creates a request that applies a body to an object or to its subresource.
	 * @param plural the plural
	 * @param object the object
	 * @param subresource the subresource, empty for the object itself
	 * @param manager the field manager
	 * @param force whether to take over fields from other managers
	 * @param dryRun whether this is a dry run
	 * @param body the applied body
	 * @return the request
	 */
	public ApiRequest apply(String plural, ResourceKey object, String subresource, String manager, boolean force,
			boolean dryRun, String body) {
		Query query = write(manager, dryRun);
		query.add("force", force ? "true" : "");
		String path = "/" + segment("name", object.name()) + (subresource.isEmpty() ? "" : "/" + subresource);
		ApiRequest request = request("patch", plural, object.namespace(), path + query).withBody(body);
		return subresource.isEmpty() ? request : request.ofSubresource(subresource);
	}

	/**
	 * Creates a request that creates an object.
	 * @param plural the plural
	 * @param namespace the namespace, empty for none
	 * @param manager the field manager
	 * @param dryRun whether this is a dry run
	 * @param body the object
	 * @return the request
	 */
	public ApiRequest create(String plural, String namespace, String manager, boolean dryRun, String body) {
		return request("create", plural, namespace, write(manager, dryRun).toString()).withBody(body);
	}

	private static Query write(String manager, boolean dryRun) {
		Query query = new Query();
		query.add("fieldManager", manager);
		query.add("fieldValidation", "Strict");
		query.add("dryRun", dryRun ? "All" : "");
		return query;
	}

	private ApiRequest request(String verb, String plural, @Nullable String namespace, String rest) {
		String lowerCase = plural.toLowerCase(Locale.ROOT);
		String collection = "/" + segment("plural", lowerCase);
		boolean namespaced = namespace != null && !namespace.isEmpty();
		String inNamespace = namespaced ? "/namespaces/" + segment("namespace", namespace) : "";
		String template = this.groupPath + (namespaced ? "/namespaces/{namespace}" : "") + collection
				+ (rest.startsWith("/") ? "/{name}" : "");
		URI uri = URI.create(this.server + this.groupPath + inNamespace + collection + rest);
		String resource = this.group.isEmpty() ? lowerCase : lowerCase + "." + this.group;
		return new ApiRequest(verb, uri, template, resource, namespaced ? namespace : null,
				MediaType.APPLICATION_JSON_VALUE, null);
	}

	private static String segment(String what, @Nullable String value) {
		// W-04: a value must not change the path of the URL
		if (value == null || value.isEmpty() || value.equals(".") || value.equals("..") || value.indexOf('/') >= 0
				|| value.indexOf('%') >= 0) {
			throw new IllegalArgumentException("the " + what + " '" + value + "' cannot be part of a URL");
		}
		return UriUtils.encode(value, StandardCharsets.UTF_8);
	}

	/** The query parameters of a URL. Parameters with an empty value are omitted. */
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
