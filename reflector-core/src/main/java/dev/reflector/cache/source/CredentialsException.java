package dev.reflector.cache.source;

import org.jspecify.annotations.Nullable;

/**
 * Signals that the credentials for a request cannot be had at the moment, so that it was
 * not sent. The message says what is wrong, where, and what to do, and holds no secrets.
 *
 * @since 0.1.0
 */
public class CredentialsException extends RuntimeException {

	/**
	 * Creates an exception.
	 * @param message what is wrong, where, and what to do
	 * @param cause what has failed, or {@code null} when there is no more to know
	 */
	public CredentialsException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
