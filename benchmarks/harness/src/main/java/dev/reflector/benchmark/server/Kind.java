package dev.reflector.benchmark.server;

import java.util.Locale;

/**
 * The kind of the served objects.
 */
public enum Kind {

	/** Pods as clusters hold them, whose size is asked for. */
	PODS("v1", "Pod", "/api/v1/pods", false),

	/** Small custom resources. */
	WIDGETS("example.com/v1", "Widget", "/apis/example.com/v1/widgets", true);

	private final String apiVersion;

	private final String kind;

	private final String path;

	private final boolean typedItems;

	Kind(String apiVersion, String kind, String path, boolean typedItems) {
		this.apiVersion = apiVersion;
		this.kind = kind;
		this.path = path;
		this.typedItems = typedItems;
	}

	/**
	 * The API version.
	 * @return the version with its group
	 */
	public String apiVersion() {
		return this.apiVersion;
	}

	/**
	 * The kind of an object.
	 * @return the kind
	 */
	public String kind() {
		return this.kind;
	}

	/**
	 * The path of the collection.
	 * @return the path, for all namespaces
	 */
	public String path() {
		return this.path;
	}

	/**
	 * Whether items of a list name their type, which real servers leave out for built-in
	 * types only.
	 */
	boolean typedItems() {
		return this.typedItems;
	}

	static Kind of(String name) {
		return valueOf(name.toUpperCase(Locale.ROOT));
	}

}
