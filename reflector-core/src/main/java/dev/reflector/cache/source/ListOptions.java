package dev.reflector.cache.source;

import org.jspecify.annotations.Nullable;

/**
 * What a list request asks for. Selectors are not among the options, because they are
 * constant for a {@link ListerWatcher}.
 *
 * @param namespace the namespace, or {@code null} for all
 * @param resourceVersion the version to list at: empty for the newest state, {@code "0"}
 * for any state that the server has at hand, otherwise for a state that is not older than
 * this version
 * @param limit page size, 0 for no limit
 * @param continueToken token of the previous page, or empty for the first. With a token,
 * the version must be empty
 * @param resourceVersionMatch what the version means, or {@code null} to leave it to the
 * server, for which it means {@link ResourceVersionMatch#NOT_OLDER_THAN} unless there is
 * a limit
 * @param shardSelector asks the server for the objects of a shard only: a value of its
 * query parameter {@code shardSelector}, empty for all objects. A server that does not
 * know the parameter sends all objects
 * @since 0.1.0
 */
public record ListOptions(@Nullable String namespace, String resourceVersion, int limit, String continueToken,
		@Nullable ResourceVersionMatch resourceVersionMatch, String shardSelector) {

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when they contradict each other
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
	 * @param limit page size, 0 for no limit
	 * @param continueToken token of the previous page, or empty for the first
	 */
	public ListOptions(@Nullable String namespace, String resourceVersion, int limit, String continueToken) {
		this(namespace, resourceVersion, limit, continueToken, null);
	}

	/**
	 * Creates options that ask for the objects of all shards.
	 * @param namespace the namespace, or {@code null} for all
	 * @param resourceVersion the version to list at
	 * @param limit page size, 0 for no limit
	 * @param continueToken token of the previous page, or empty for the first
	 * @param resourceVersionMatch what the version means, or {@code null}
	 */
	public ListOptions(@Nullable String namespace, String resourceVersion, int limit, String continueToken,
			@Nullable ResourceVersionMatch resourceVersionMatch) {
		this(namespace, resourceVersion, limit, continueToken, resourceVersionMatch, "");
	}

	/**
	 * Returns these options for the objects of a shard only.
	 * @param selector value of the query parameter {@code shardSelector}, empty for all
	 * objects
	 * @return the options
	 */
	public ListOptions withShardSelector(String selector) {
		return new ListOptions(this.namespace, this.resourceVersion, this.limit, this.continueToken,
				this.resourceVersionMatch, selector);
	}

	/**
	 * Whether the request only asks if the server has reached the version. Then only a
	 * failure of the response counts, and its objects do not.
	 * @return whether the limit is 1 and the version means
	 * {@link ResourceVersionMatch#NOT_OLDER_THAN}
	 */
	public boolean asksForVersion() {
		return this.limit == 1 && this.resourceVersionMatch == ResourceVersionMatch.NOT_OLDER_THAN;
	}

	/** What the version of a list request means. */
	public enum ResourceVersionMatch {

		/** Any state that is not older than the version is wanted. */
		NOT_OLDER_THAN,

		/** The state at exactly the version is wanted, which cannot be "0". */
		EXACT

	}

}
