package dev.reflector.event;

/**
 * Thrown when listeners have failed on an event and no attempt is left. The cause is the
 * failure of the first listener. The failures of other listeners are its suppressed
 * exceptions.
 */
final class ListenerFailedException extends RuntimeException {

	ListenerFailedException(String message, Throwable cause) {
		super(message, cause);
	}

}
