package dev.reflector.client.credentials;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a kubeconfig cannot be used, or when the HTTP client does not support what
 * the kubeconfig requires. The message says what is wrong, where, and what to do. It
 * contains no secrets.
 *
 * @since 0.1.0
 */
public class KubeconfigException extends RuntimeException {

	/**
	 * Creates an exception. If a {@code ReflectorConnectionDetails} bean of the
	 * application throws this exception at startup, Spring Boot reports the message.
	 * @param message what is wrong, where, and what to do
	 */
	public KubeconfigException(String message) {
		super(message);
	}

	/**
	 * Creates an exception.
	 * @param message what is wrong, where, and what to do
	 * @param cause the cause, or {@code null} for none
	 */
	public KubeconfigException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
