package dev.reflector.client.credentials;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a kubeconfig cannot be used, or when the HTTP client cannot do what it asks
 * for. The message says what is wrong, where, and what to do, and contains no secrets.
 *
 * @since 0.1.0
 */
public class KubeconfigException extends RuntimeException {

	/**
	 * Creates an exception. Spring Boot reports its message when a
	 * {@code ReflectorConnectionDetails} bean of the application throws it at startup.
	 * @param message what is wrong, where, and what to do
	 */
	public KubeconfigException(String message) {
		super(message);
	}

	/**
	 * Creates an exception.
	 * @param message what is wrong, where, and what to do
	 * @param cause what has failed, or {@code null}
	 */
	public KubeconfigException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
