package dev.reflector.cache.source;

import java.io.IOException;

/**
 * Signals that there is no connection to the server, or that the connection is not
 * trusted. The server has not received the request. The message says what is wrong,
 * where, and what to do, and contains no secrets.
 *
 * @since 0.1.0
 */
public class ConnectionException extends IOException {

	private final String reason;

	/**
	 * Creates an exception.
	 * @param reason the kind of the problem, one word from a small set
	 * @param message what is wrong, where, and what to do
	 * @param cause the exception that was thrown
	 */
	public ConnectionException(String reason, String message, Throwable cause) {
		super(message, cause);
		this.reason = reason;
	}

	/**
	 * Returns the kind of the problem.
	 * @return one word from a small set
	 */
	public String reason() {
		return this.reason;
	}

}
