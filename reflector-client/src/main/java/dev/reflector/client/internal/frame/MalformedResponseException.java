package dev.reflector.client.internal.frame;

import dev.reflector.PrintableText;

/**
 * The bytes of a response are not what they should be. The message quotes nothing of an
 * object, and is fit for a log line.
 */
public final class MalformedResponseException extends RuntimeException {

	public MalformedResponseException(String message) {
		super(PrintableText.of(message));
	}

	public MalformedResponseException(String message, Throwable cause) {
		super(PrintableText.of(message), cause);
	}

}
