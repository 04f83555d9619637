package dev.reflector.cache.source;

import org.jspecify.annotations.Nullable;

/**
 * What a list request asks for. Selectors are no part of it: they are constant for the
 * life of a {@link ListerWatcher}.
 *
 * @param namespace the namespace, or {@code null} for all
 * @param resourceVersion the version to list at: empty for the newest state, {@code "0"}
 * for any state the server has at hand, else a state not older than it
 * @param limit page size, 0 for no limit
 * @param continueToken token of the previous page, or empty for the first. With a token,
 * the version must be empty (rule W-06)
 * @param exact whether the state at exactly that version is wanted, which needs a version
 * other than {@code "0"} (rule W-06)
 * @param notOlderThan whether to say that any state will do that is not older than that
 * version, which needs one. Without that, a server with a limit to keep takes it for
 * exact
 * @since 0.1.0
 */
public record ListOptions(@Nullable String namespace, String resourceVersion, int limit, String continueToken,
		boolean exact, boolean notOlderThan) {

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when they contradict each other
	 */
	public ListOptions {
		if (exact && (resourceVersion.isEmpty() || resourceVersion.equals("0"))) {
			throw new IllegalArgumentException("'exact' needs a 'resourceVersion' other than 0");
		}
		if (notOlderThan && (exact || resourceVersion.isEmpty())) {
			throw new IllegalArgumentException("'notOlderThan' needs a 'resourceVersion', and not 'exact'");
		}
		if (!continueToken.isEmpty() && !resourceVersion.isEmpty()) {
			throw new IllegalArgumentException("'resourceVersion' is not allowed together with 'continueToken'");
		}
	}

	/**
	 * Asks for a state that is not older than a version.
	 * @param namespace the namespace, or {@code null} for all
	 * @param resourceVersion the version to list at
	 * @param limit page size, 0 for no limit
	 * @param continueToken token of the previous page, or empty for the first
	 */
	public ListOptions(@Nullable String namespace, String resourceVersion, int limit, String continueToken) {
		this(namespace, resourceVersion, limit, continueToken, false);
	}

	/**
	 * Asks for a state that is not older than a version, or for exactly that.
	 * @param namespace the namespace, or {@code null} for all
	 * @param resourceVersion the version to list at
	 * @param limit page size, 0 for no limit
	 * @param continueToken token of the previous page, or empty for the first
	 * @param exact whether the state at exactly that version is wanted
	 */
	public ListOptions(@Nullable String namespace, String resourceVersion, int limit, String continueToken,
			boolean exact) {
		this(namespace, resourceVersion, limit, continueToken, exact, false);
	}

}
