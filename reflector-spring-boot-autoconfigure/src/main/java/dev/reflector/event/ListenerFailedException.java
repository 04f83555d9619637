package dev.reflector.event;

/**
 * Listeners could not deal with an event, which has been given up. The cause is the
 * failure of the first of them; those of the others are suppressed by that.
 */
final class ListenerFailedException extends RuntimeException {

	ListenerFailedException(String message, Throwable cause) {
		super(message, cause);
	}

}
