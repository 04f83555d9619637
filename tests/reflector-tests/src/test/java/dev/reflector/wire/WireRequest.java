package dev.reflector.wire;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A request of the script. Its path and body may contain <code>${step.version}</code>,
 * <code>${step.token}</code> and <code>${step.uid}</code> from the answer to an earlier
 * step, and <code>${future}</code>, a version that does not exist yet.
 *
 * @param name unique name
 * @param method method
 * @param path path and query
 * @param headers headers
 * @param body body, {@code null} for none
 * @param frames how many lines of the answer to await while the script continues, 0 to
 * read the whole answer first
 */
record WireRequest(String name, String method, String path, Map<String, String> headers, @Nullable String body,
		int frames) {

	static final String GROUP = "/apis/wire.example.com";

	static final String ALL = GROUP + "/v1/parts";

	static final String PARTS = GROUP + "/v1/namespaces/wire/parts";

	static final String PLANS = GROUP + "/v1/plans";

	WireRequest(String name, String method, String path, Map<String, String> headers, @Nullable String body) {
		this(name, method, path, headers, body, 0);
	}

	static WireRequest get(String name, String path) {
		return get(name, path, "application/json");
	}

	static WireRequest get(String name, String path, String accept) {
		return new WireRequest(name, "GET", path, Map.of("Accept", accept), null);
	}

	static WireRequest list(String query) {
		return get("list ?" + query, PARTS + "?" + query);
	}

	static WireRequest watch(String query) {
		String longer = query + (query.isEmpty() ? "" : "&") + "timeoutSeconds=1";
		return get("watch ?" + query, PARTS + "?watch=true&" + longer);
	}

	/**
	 * A watch that is open while what follows is written.
	 * @param name unique name
	 * @param path path and query
	 * @param accept what to accept
	 * @param frames how many frames there are to come
	 */
	static WireRequest live(String name, String path, String accept, int frames) {
		return new WireRequest(name, "GET", path + "&watch=true&timeoutSeconds=120", Map.of("Accept", accept), null,
				frames);
	}

	static WireRequest send(String name, String method, String path, String contentType, @Nullable String body) {
		return new WireRequest(name, method, path, Map.of("Accept", "application/json", "Content-Type", contentType),
				body);
	}

	static WireRequest post(String name, String body) {
		return send(name, "POST", PARTS, "application/json", body);
	}

	static WireRequest put(String name, String path, String body) {
		return send(name, "PUT", path, "application/json", body);
	}

	static WireRequest patch(String name, String path, String body) {
		return send(name, "PATCH", path, "application/merge-patch+json", body);
	}

	static WireRequest delete(String name, String path, @Nullable String options) {
		return send(name, "DELETE", path, "application/json", options);
	}

	/** Whether it changes nothing, so that it may be asked at the same time as others. */
	boolean reads() {
		return this.method.equals("GET");
	}

}
