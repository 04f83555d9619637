package dev.reflector.cache.handler;

/**
 * Thrown by a {@link ResourceEventHandler} that is to be told nothing more: what waits
 * for it is dropped, and when the reflector is resumed or started again it begins anew
 * with what the mirror holds. The mirror and other handlers go on. Status and health tell
 * it.
 *
 * @since 0.1.0
 */
public final class DeliveryStoppedException extends RuntimeException {

	/**
	 * Creates the exception.
	 * @param message why, for a person; shown to operators
	 * @param cause what the handler has failed with
	 */
	public DeliveryStoppedException(String message, Throwable cause) {
		super(message, cause);
	}

}
