package dev.reflector.cache.handler;

import java.util.concurrent.CancellationException;

/**
 * Receives calls from a handler about its attempts to handle one change, so that each
 * attempt is timed and counted separately. A handler that makes only one attempt need not
 * call these methods. They must be called on the thread that called the handler, before
 * that call returns.
 *
 * @since 0.1.0
 */
public interface DeliveryAttempts {

	/** An instance that does nothing. */
	DeliveryAttempts NONE = new DeliveryAttempts() {

		@Override
		public void failed(Throwable failure) {
		}

		@Override
		public void again() {
		}

	};

	/**
	 * Records that the current attempt has failed. The time from now to the next attempt,
	 * or until the handler gives up, does not count as processing time of listeners.
	 * @param failure the exception with which the attempt failed
	 */
	void failed(Throwable failure);

	/**
	 * Records that another attempt begins, after a failed one.
	 * @throws CancellationException if the attempt must not be made, because another
	 * replica delivers the change now
	 */
	void again();

}
