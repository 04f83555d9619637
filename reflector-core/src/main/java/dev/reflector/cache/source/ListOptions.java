package dev.reflector.cache.source;

import org.jspecify.annotations.Nullable;

/**
 * The options of a list request. They contain no label or field selector, because these
 * are constant for a {@link ListerWatcher}.
 *
 * @param namespace the namespace, or {@code null} for all
 * @param resourceVersion the version to list at: empty for the newest state, {@code "0"}
 * for any state in the server's cache, otherwise a version, whose meaning
 * {@code resourceVersionMatch} determines
 * @param limit the page size, 0 for no limit
 * @param continueToken the token of the previous page, or empty for the first page. With
 * a token, the version must be empty
 * @param resourceVersionMatch the meaning of the version, or {@code null} for the default
 * of the server: {@link ResourceVersionMatch#NOT_OLDER_THAN} unless there is a limit
 * @param shardSelector the value of the query parameter {@code shardSelector}, with which
 * the server sends only the objects of a shard; empty for all objects. A server that does
 * not support the parameter sends all objects
 * @since 0.1.0
 */
public record ListOptions(@Nullable String namespace, String resourceVersion, int limit, String continueToken,
		@Nullable ResourceVersionMatch resourceVersionMatch, String shardSelector) {

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when the values contradict each other
	 */
	public ListOptions {
		boolean exact = resourceVersionMatch == ResourceVersionMatch.EXACT;
		if (resourceVersionMatch != null && (resourceVersion.isEmpty() || (exact && resourceVersion.equals("0")))) {
			throw new IllegalArgumentException(
					"'resourceVersionMatch' needs a 'resourceVersion'" + (exact ? " other than 0" : ""));
		}
		if (!continueToken.isEmpty() && !resourceVersion.isEmpty()) {
			throw new IllegalArgumentException("'resourceVersion' is not allowed together with 'continueToken'");
		}
	}

	/**
	 * Creates options that leave the meaning of the version to the server.
	 * @param namespace the namespace, or {@code null} for all
	 * @param resourceVersion the version to list at
	 * @param limit the page size, 0 for no limit
	 * @param continueToken the token of the previous page, or empty for the first page
	 */
	public ListOptions(@Nullable String namespace, String resourceVersion, int limit, String continueToken) {
		this(namespace, resourceVersion, limit, continueToken, null);
	}

	/**
	 * Creates options that ask for the objects of all shards.
	 * @param namespace the namespace, or {@code null} for all
	 * @param resourceVersion the version to list at
	 * @param limit the page size, 0 for no limit
	 * @param continueToken the token of the previous page, or empty for the first page
	 * @param resourceVersionMatch the meaning of the version, or {@code null} for the
	 * default of the server
	 */
	public ListOptions(@Nullable String namespace, String resourceVersion, int limit, String continueToken,
			@Nullable ResourceVersionMatch resourceVersionMatch) {
		this(namespace, resourceVersion, limit, continueToken, resourceVersionMatch, "");
	}

	/**
	 * Returns a copy of these options that requests only the objects of a shard.
	 * @param selector the value of the query parameter {@code shardSelector}, empty for
	 * all objects
	 * @return the options
	 */
	public ListOptions withShardSelector(String selector) {
		return new ListOptions(this.namespace, this.resourceVersion, this.limit, this.continueToken,
				this.resourceVersionMatch, selector);
	}

	/**
	 * Whether the request only checks if the server has reached the version. If so, the
	 * objects of the response are ignored: only the success of the request matters.
	 * @return whether the limit is 1 and the version means
	 * {@link ResourceVersionMatch#NOT_OLDER_THAN}
	 */
	public boolean asksForVersion() {
		return this.limit == 1 && this.resourceVersionMatch == ResourceVersionMatch.NOT_OLDER_THAN;
	}

	/** The meaning of the version of a list request. */
	public enum ResourceVersionMatch {

		/** The server may send any state that is not older than the version. */
		NOT_OLDER_THAN,

		/**
		 * The server must send the state at exactly the version, which must not be "0".
		 */
		EXACT

	}

}
