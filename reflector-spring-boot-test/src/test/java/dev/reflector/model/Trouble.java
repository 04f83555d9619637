package dev.reflector.model;

import dev.reflector.test.EventFault;
import dev.reflector.test.Fault;

/**
 * The faults that a history plays.
 */
enum Trouble {

	BAD_REQUEST(Fault.status(400)),

	UNAUTHORIZED(Fault.status(401)),

	FORBIDDEN(Fault.status(403)),

	NOT_FOUND(Fault.status(404)),

	NOT_FOUND_IN_TEXT(Fault.response(404, "text/plain", "404 page not found\n")),

	GONE(Fault.status(410, "Gone", "gone")),

	EXPIRED(Fault.status(410, "Expired", "too old resource version")),

	UNPROCESSABLE(Fault.status(422)),

	TOO_MANY_REQUESTS(Fault.status(429)),

	TOO_MANY_REQUESTS_NOW(Fault.status(429).withRetryAfter(0)),

	TOO_MANY_REQUESTS_IN_TEXT(Fault.response(429, "text/plain", "too many requests")),

	INTERNAL_ERROR(Fault.status(500)),

	UNAVAILABLE(Fault.response(503, "text/plain", "no healthy upstream")),

	TIMEOUT(Fault.status(504, "Timeout", "Too large resource version")),

	GARBAGE(Fault.garbage()),

	PROXY_PAGE(Fault.response(200, "text/html", "<html>Please sign in</html>")),

	NOTHING(Fault.response(200, "application/json", "")),

	EMPTY_OBJECT(Fault.response(200, "application/json", "{}\n")),

	DISCONNECT(Fault.disconnect()),

	EMPTY_WATCH(Fault.emptyWatch()),

	ERROR_FRAME_EXPIRED(frame(410, "Expired")),

	ERROR_FRAME_GONE(frame(410, "Gone")),

	ERROR_FRAME_TOO_MANY_REQUESTS(frame(429, "TooManyRequests")),

	ERROR_FRAME_INTERNAL(frame(500, "InternalError")),

	UNKNOWN_FRAME(Fault.response(200, "application/json", "{\"type\":\"SURPRISE\",\"object\":{}}\n")),

	NAMELESS_FRAME(Fault.response(200, "application/json", """
			{"type":"ADDED","object":{"kind":"Widget","apiVersion":"example.com/v1"}}
			""")),

	DUPLICATE_FRAME(EventFault.duplicate()),

	DUPLICATE_LATER_FRAME(EventFault.duplicate().atEvent(3)),

	FRAMES_REVERSED(EventFault.reordered(2)),

	LATER_FRAMES_REVERSED(EventFault.reordered(3).atEvent(2)),

	SILENCE(Fault.silence()),

	SILENCE_WITHIN(Fault.silence().atEvent(2)),

	TRUNCATED_FRAME(Fault.response(200, "application/json", """
			{"type":"DELETED","object":{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"na"""));

	private final Fault fault;

	Trouble(Fault fault) {
		this.fault = fault;
	}

	private static Fault frame(int code, String reason) {
		return Fault.response(200, "application/json", """
				{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure",\
				"message":"injected","reason":"%s","code":%d}}
				""".formatted(reason, code));
	}

	/**
	 * Whether frames come in another order, which no real server does: the last one wins
	 * and only a list makes it good.
	 */
	boolean reverses() {
		return this == FRAMES_REVERSED || this == LATER_FRAMES_REVERSED;
	}

	Fault fault() {
		return this.fault;
	}

}
