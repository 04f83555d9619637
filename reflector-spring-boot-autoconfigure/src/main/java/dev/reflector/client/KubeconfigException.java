package dev.reflector.client;

/** Placeholder. */
public class KubeconfigException extends RuntimeException {

	KubeconfigException(String message) {
		super(message);
	}

}
