package dev.reflector.kafka;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when changes cannot be published as configured.
 */
final class KafkaTopicException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	KafkaTopicException(String message, String action, @Nullable Throwable cause) {
		super(message, cause);
		this.action = action;
	}

	/** Returns advice on how to solve the problem. */
	String action() {
		return this.action;
	}

}
