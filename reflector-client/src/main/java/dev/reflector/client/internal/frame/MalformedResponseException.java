package dev.reflector.client.internal.frame;

import dev.reflector.PrintableText;

/**
 * Thrown when the bytes of a response are not valid. The message does not quote content
 * of objects, so it can be logged.
 */
public final class MalformedResponseException extends RuntimeException {

	public MalformedResponseException(String message) {
		super(PrintableText.of(message));
	}

	public MalformedResponseException(String message, Throwable cause) {
		super(PrintableText.of(message), cause);
	}

}
