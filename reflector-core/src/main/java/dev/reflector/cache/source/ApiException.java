package dev.reflector.cache.source;

import java.time.Duration;

import dev.reflector.PrintableText;

/**
 * Signals that the server has responded to a list or watch request with a failure. Also
 * used by custom implementations of {@link ListerWatcher}.
 *
 * @since 0.1.0
 */
public class ApiException extends RuntimeException {

	private static final int MAX_MESSAGE = 4000;

	private final Status status;

	private final Duration retryAfter;

	/**
	 * Creates the exception.
	 * @param message the request and the response, human-readable, without secrets.
	 * {@link PrintableText} makes it safe for a log line
	 * @param status the status that the server returned
	 * @param retryAfter how long the server asks to wait: the larger of the times in the
	 * header and in the status; {@link Duration#ZERO} when the server sends no time
	 */
	public ApiException(String message, Status status, Duration retryAfter) {
		super(PrintableText.of(message, MAX_MESSAGE));
		this.status = status;
		this.retryAfter = retryAfter;
	}

	/**
	 * Returns the status that the server returned.
	 * @return the status
	 */
	public Status status() {
		return this.status;
	}

	/**
	 * Returns how long the server asks to wait before the next request.
	 * @return the time, zero when the server sent no time
	 */
	public Duration retryAfter() {
		return this.retryAfter;
	}

}
