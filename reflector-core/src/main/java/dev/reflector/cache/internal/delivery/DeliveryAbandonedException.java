package dev.reflector.cache.internal.delivery;

/**
 * Thrown by a handler that has failed on a change and makes no further attempt, although
 * some are left, because delivery to it ends. The change does not count as received.
 */
public final class DeliveryAbandonedException extends RuntimeException {

	/**
	 * Creates the exception.
	 * @param message which listeners have failed, human-readable
	 * @param cause the failure of the last attempt
	 */
	public DeliveryAbandonedException(String message, Throwable cause) {
		super(message, cause);
	}

}
