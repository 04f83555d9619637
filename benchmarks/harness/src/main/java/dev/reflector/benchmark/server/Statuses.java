package dev.reflector.benchmark.server;

/**
 * Failures as the API words them: the members of a {@code Status} in JSON, with the
 * closing brace.
 */
final class Statuses {

	static final String EXPIRED = status(410, "Expired", "too old resource version");

	static final String NO_STREAMS = status(422, "Invalid", "sendInitialEvents: Forbidden: is not allowed");

	static final String NOT_FOUND = status(404, "NotFound", "the server could not find the requested resource");

	private Statuses() {
	}

	static byte[] object(Encoding encoding, String members) {
		return encoding.object("v1", "Status", members);
	}

	static byte[] frame(Encoding encoding, String members) {
		return encoding.frame("ERROR", "v1", "Status", members);
	}

	private static String status(int code, String reason, String message) {
		return "\"metadata\":{},\"status\":\"Failure\",\"message\":\"" + message + "\",\"reason\":\"" + reason
				+ "\",\"code\":" + code + "}";
	}

}
