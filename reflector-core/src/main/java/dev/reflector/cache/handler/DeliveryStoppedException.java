package dev.reflector.cache.handler;

/**
 * Thrown by a {@link ResourceEventHandler} to stop its delivery. The changes in its queue
 * are dropped. The mirror and other handlers continue. When the reflector is resumed or
 * started again, the handler receives all objects of the mirror again. Status and health
 * show that the delivery has stopped.
 *
 * @since 0.1.0
 */
public final class DeliveryStoppedException extends RuntimeException {

	/**
	 * Creates the exception.
	 * @param message why the delivery stops, human-readable; shown to operators
	 * @param cause the failure of the handler
	 */
	public DeliveryStoppedException(String message, Throwable cause) {
		super(message, cause);
	}

}
