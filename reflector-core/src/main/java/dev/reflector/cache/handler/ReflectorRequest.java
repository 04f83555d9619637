package dev.reflector.cache.handler;

import org.jspecify.annotations.Nullable;

/**
 * A request that a reflector makes.
 *
 * @param kind what the request asks for
 * @param namespace the namespace, {@code null} for all
 * @param resourceVersion the requested version, empty for the newest state
 * @param after why the previous watch ended, if this request is a watch that continues
 * the previous one; {@code null} for the first watch after a list, for a watch that opens
 * before the previous one has ended, and for other kinds of requests
 * @since 0.1.0
 */
public record ReflectorRequest(Kind kind, @Nullable String namespace, String resourceVersion,
		RequestEnd.@Nullable Reason after) {

	/** What a request asks for. */
	public enum Kind {

		/** The full state, in one or more pages. */
		LIST,

		/** The full state as the first part of a watch, which then continues. */
		STREAMED_LIST,

		/** The changes after a version. */
		WATCH,

		/**
		 * Keys and versions of objects, to compare the mirror with the server, or to find
		 * out whether the server has reached a version. Each page is one request.
		 */
		VERSIONS

	}

}
