package dev.reflector.cache.handler;

/**
 * Thrown by a {@link ResourceEventHandler} to stop its delivery: the changes that wait
 * for it are dropped. When the reflector is resumed or started again, the handler
 * receives all objects of the mirror again. The mirror and other handlers continue.
 * Status and health show it.
 *
 * @since 0.1.0
 */
public final class DeliveryStoppedException extends RuntimeException {

	/**
	 * Creates the exception.
	 * @param message why, human-readable; shown to operators
	 * @param cause the failure of the handler
	 */
	public DeliveryStoppedException(String message, Throwable cause) {
		super(message, cause);
	}

}
