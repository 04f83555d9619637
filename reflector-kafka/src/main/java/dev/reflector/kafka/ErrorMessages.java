package dev.reflector.kafka;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Why something has failed, human-readable: what Kafka's clients cannot do is the message
 * of an exception, and why they cannot is that of its cause.
 */
final class ErrorMessages {

	private static final int MOST = 5;

	private ErrorMessages() {
	}

	/** The messages of a failure and of its causes. */
	static String of(Throwable failure) {
		Set<String> messages = new LinkedHashSet<>();
		Throwable next = failure;
		while (next != null && messages.size() < MOST) {
			messages.add((next.getMessage() != null) ? next.getMessage() : next.getClass().getSimpleName());
			next = next.getCause();
		}
		return String.join(": ", messages);
	}

}
