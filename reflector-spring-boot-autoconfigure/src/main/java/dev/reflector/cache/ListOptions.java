package dev.reflector.cache;

import org.jspecify.annotations.Nullable;

/**
 * What a list request asks for (section 1.2 of the protocol). Selectors are no part of
 * it: they are constant for the life of a {@link ListerWatcher}.
 *
 * @param namespace the namespace, or {@code null} for all
 * @param resourceVersion the version to list at: empty for the newest state, {@code "0"}
 * for any state the server has at hand, else a state not older than it
 * @param limit page size, 0 for no limit
 * @param continueToken token of the previous page, or empty for the first. With a token,
 * the version must be empty (rule W-06)
 */
public record ListOptions(@Nullable String namespace, String resourceVersion, int limit, String continueToken) {

	public ListOptions {
		if (!continueToken.isEmpty() && !resourceVersion.isEmpty()) {
			throw new IllegalArgumentException("'resourceVersion' is not allowed together with 'continueToken'");
		}
	}

}
