package dev.reflector.client;

/**
 * The bytes of a response are not what they should be. The message quotes none of them.
 */
final class MalformedResponseException extends RuntimeException {

	MalformedResponseException(String message) {
		super(message);
	}

	MalformedResponseException(String message, Throwable cause) {
		super(message, cause);
	}

}
