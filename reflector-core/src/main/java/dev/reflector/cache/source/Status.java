package dev.reflector.cache.source;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.reflector.PrintableText;
import org.jspecify.annotations.Nullable;

/**
 * A failure that the API server reports ({@code kind: Status}), with the checks of
 * client-go's {@code apierrors}.
 *
 * @param code HTTP status code, 0 when unknown
 * @param reason machine-readable reason, empty when unknown
 * @param message human-readable text
 * @param causes details of the failure
 * @param retryAfterSeconds the number of seconds to wait before the next attempt, 0 when
 * the server sends no time
 * @param hasDetails whether the server sent details; used by
 * {@link #isTooLargeResourceVersion()}
 * @since 0.1.0
 */
public record Status(int code, String reason, String message, List<Cause> causes, int retryAfterSeconds,
		boolean hasDetails) {

	private static final String UNDECODABLE = "ClientWatchDecoding";

	private static final String TOO_LARGE_TEXT = "Too large resource version";

	private static final Map<Integer, String> REASONS = Map.ofEntries(Map.entry(400, "BadRequest"),
			Map.entry(401, "Unauthorized"), Map.entry(403, "Forbidden"), Map.entry(404, "NotFound"),
			Map.entry(405, "MethodNotAllowed"), Map.entry(406, "NotAcceptable"), Map.entry(409, "Conflict"),
			Map.entry(410, "Gone"), Map.entry(413, "RequestEntityTooLarge"), Map.entry(415, "UnsupportedMediaType"),
			Map.entry(422, "Invalid"), Map.entry(429, "TooManyRequests"), Map.entry(500, "InternalError"),
			Map.entry(503, "ServiceUnavailable"), Map.entry(504, "Timeout"));

	private static final Set<String> KNOWN_REASONS = Set.of("BadRequest", "Unauthorized", "Forbidden", "NotFound",
			"MethodNotAllowed", "NotAcceptable", "AlreadyExists", "Conflict", "Gone", "Expired", "Invalid",
			"RequestEntityTooLarge", "UnsupportedMediaType", "TooManyRequests", "InternalError", "ServerTimeout",
			"ServiceUnavailable", "Timeout", "StorageReadError");

	public Status {
		causes = List.copyOf(causes);
	}

	/**
	 * Creates a status from an HTTP status code alone.
	 * @param code the HTTP status code
	 * @param message the text of the response, may be empty
	 * @return the status
	 */
	public static Status ofHttp(int code, String message) {
		String reason = REASONS.getOrDefault(code, (code >= 500) ? "InternalError" : "Unknown");
		return new Status(code, reason, message, List.of(), 0, false);
	}

	/**
	 * Creates a status for a stream whose bytes are malformed. The status has no code,
	 * because the server has not reported any failure.
	 * @param message what is wrong
	 * @return the status
	 */
	public static Status undecodable(String message) {
		return new Status(0, "MalformedResponse", message,
				List.of(new Cause("UnexpectedServerResponse", message, ""), new Cause(UNDECODABLE, message, "")), 0,
				true);
	}

	/**
	 * Whether the requested version has expired on the server.
	 * @return whether the reason or the code says that the version has expired or is gone
	 */
	public boolean isExpired() {
		return "Expired".equals(this.reason) || is("Gone", 410);
	}

	/**
	 * Whether the server has not yet reached the requested version.
	 * @return whether the requested version is too large
	 */
	public boolean isTooLargeResourceVersion() {
		if (hasCause("ResourceVersionTooLarge")) {
			return true;
		}
		return is("Timeout", 504) && this.hasDetails && (this.message.contains(TOO_LARGE_TEXT)
				|| this.causes.stream().anyMatch((cause) -> cause.message().equals(TOO_LARGE_TEXT)));
	}

	/**
	 * Whether the server refuses the request because there are too many requests.
	 * @return whether there were too many requests
	 */
	public boolean isTooManyRequests() {
		return "TooManyRequests".equals(this.reason) || this.code == 429;
	}

	/**
	 * Whether the server failed internally.
	 * @return whether the status is an internal error
	 */
	public boolean isInternalError() {
		return is("InternalError", 500);
	}

	/**
	 * Whether the bytes of a stream were malformed.
	 * @return whether this status was made by {@link #undecodable}
	 */
	public boolean isUndecodable() {
		return this.code == 0 && hasCause(UNDECODABLE);
	}

	private boolean hasCause(String reason) {
		return this.causes.stream().anyMatch((cause) -> cause.reason().equals(reason));
	}

	private boolean is(String reason, int code) {
		return reason.equals(this.reason) || (this.code == code && !KNOWN_REASONS.contains(this.reason));
	}

	/**
	 * Returns the status in one line for logs and messages, see {@link PrintableText}.
	 * @return code, reason and message
	 */
	@Override
	public String toString() {
		return PrintableText.of(text());
	}

	private String text() {
		String failure = ((this.code != 0) ? this.code + " " + this.reason : this.reason).strip();
		if (failure.isEmpty() || this.message.isEmpty()) {
			return failure.isEmpty() ? this.message : failure;
		}
		return failure + ": " + this.message;
	}

	/**
	 * A detail of a failure.
	 *
	 * @param reason type of the cause
	 * @param message text of the cause
	 * @param field the field that the cause is about
	 */
	public record Cause(String reason, String message, String field) {

		/** Replaces each {@code null} by an empty string. */
		public Cause(@Nullable String reason, @Nullable String message, @Nullable String field) {
			this.reason = Objects.requireNonNullElse(reason, "");
			this.message = Objects.requireNonNullElse(message, "");
			this.field = Objects.requireNonNullElse(field, "");
		}

	}

}
