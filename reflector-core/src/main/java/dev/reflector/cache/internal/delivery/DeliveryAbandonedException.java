package dev.reflector.cache.internal.delivery;

import java.util.function.Supplier;

/**
 * Thrown by a handler that has failed on a change and makes no further attempt, although
 * some are left, because it was notified of its stop. If the handler continues in the
 * next run, the change does not count as received. If not, {@link #giveUp()} is called.
 */
public final class DeliveryAbandonedException extends RuntimeException {

	private final transient Supplier<? extends Throwable> last;

	/**
	 * Creates the exception.
	 * @param message which listeners have failed, human-readable
	 * @param cause the failure of the last attempt
	 * @param last does what the handler does when no attempt is left, and returns the
	 * exception to treat as the failure of the handler
	 */
	public DeliveryAbandonedException(String message, Throwable cause, Supplier<? extends Throwable> last) {
		super(message, cause);
		this.last = last;
	}

	/**
	 * Makes the last attempt the final one, because the change does not come again.
	 * Called on the thread that called the handler.
	 * @return the failure of the handler, as if no attempt had been left
	 */
	Throwable giveUp() {
		return this.last.get();
	}

}
