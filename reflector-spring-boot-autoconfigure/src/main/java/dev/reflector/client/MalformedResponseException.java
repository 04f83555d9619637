package dev.reflector.client;

import dev.reflector.PrintableText;

/**
 * The bytes of a response are not what they should be. The message quotes nothing of an
 * object, and is fit for a log line.
 */
final class MalformedResponseException extends RuntimeException {

	MalformedResponseException(String message) {
		super(PrintableText.of(message));
	}

	MalformedResponseException(String message, Throwable cause) {
		super(PrintableText.of(message), cause);
	}

}
