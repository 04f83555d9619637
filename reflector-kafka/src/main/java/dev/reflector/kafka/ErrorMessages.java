package dev.reflector.kafka;

import java.util.LinkedHashSet;
import java.util.Set;

import dev.reflector.cache.snapshot.SnapshotException;

/**
 * Makes human-readable messages from failures of Kafka's clients. The message of an
 * exception says what has failed, and the message of its cause says why.
 */
final class ErrorMessages {

	private static final int MOST = 5;

	private ErrorMessages() {
	}

	/**
	 * Returns why an object could not be read or written. Only a
	 * {@link SnapshotException} is known to have a message without content of the object,
	 * which may be a Secret. For other exceptions, returns the name of the class.
	 */
	static String ofObject(RuntimeException failure) {
		return (failure instanceof SnapshotException) ? String.valueOf(failure.getMessage())
				: failure.getClass().getName();
	}

	/** Returns the messages of a failure and of its causes. */
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
