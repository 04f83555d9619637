package dev.reflector.client.credentials;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a kubeconfig cannot be used. The message says what is wrong, where, and
 * what to do, and holds no secrets.
 *
 * @since 0.1.0
 */
public class KubeconfigException extends RuntimeException {

	public KubeconfigException(String message) {
		super(message);
	}

	public KubeconfigException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
