package dev.reflector.cache.source;

import org.jspecify.annotations.Nullable;

/**
 * Signals that a request was not sent, because there are currently no credentials for it.
 * The message says what is wrong, where, and what to do, and contains no secrets.
 *
 * @since 0.1.0
 */
public class CredentialsException extends RuntimeException {

	/**
	 * Creates an exception.
	 * @param message what is wrong, where, and what to do
	 * @param cause the exception that was thrown, or {@code null}
	 */
	public CredentialsException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
