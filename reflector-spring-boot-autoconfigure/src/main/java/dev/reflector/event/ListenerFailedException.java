package dev.reflector.event;

/**
 * Listeners have failed on an event, and no attempt is left. The cause is the failure of
 * the first listener; failures of others are suppressed by it.
 */
final class ListenerFailedException extends RuntimeException {

	ListenerFailedException(String message, Throwable cause) {
		super(message, cause);
	}

}
