package dev.reflector.benchmark.server;

/**
 * Failures as the API words them.
 */
final class Statuses {

	static final String EXPIRED = status(410, "Expired", "too old resource version");

	static final String NO_STREAMS = status(422, "Invalid", "sendInitialEvents: Forbidden: is not allowed");

	static final String NOT_FOUND = status(404, "NotFound", "the server could not find the requested resource");

	private Statuses() {
	}

	private static String status(int code, String reason, String message) {
		return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\""
				+ message + "\",\"reason\":\"" + reason + "\",\"code\":" + code + "}";
	}

}
