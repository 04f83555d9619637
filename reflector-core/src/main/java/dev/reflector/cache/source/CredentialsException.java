package dev.reflector.cache.source;

import org.jspecify.annotations.Nullable;

/**
 * Signals that there are no credentials for a request now, so that the request was not
 * sent. The message says what is wrong, where, and what to do, and contains no secrets.
 *
 * @since 0.1.0
 */
public class CredentialsException extends RuntimeException {

	/**
	 * Creates an exception.
	 * @param message what is wrong, where, and what to do
	 * @param cause what has failed, or {@code null}
	 */
	public CredentialsException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
