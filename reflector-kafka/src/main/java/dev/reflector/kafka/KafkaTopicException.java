package dev.reflector.kafka;

import org.jspecify.annotations.Nullable;

/**
 * Changes cannot be published as the settings say.
 */
final class KafkaTopicException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	KafkaTopicException(String message, String action, @Nullable Throwable cause) {
		super(message, cause);
		this.action = action;
	}

	/** What to do about it. */
	String action() {
		return this.action;
	}

}
