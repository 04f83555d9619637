package dev.reflector.cache.handler;

/**
 * Receives the attempts that a handler makes on one change, so that each attempt is timed
 * and counted on its own. A handler that makes only one attempt need not call it. Call
 * its methods on the thread on which the handler was called, before that call returns.
 *
 * @since 0.1.0
 */
public interface DeliveryAttempts {

	/** Does nothing. */
	DeliveryAttempts NONE = new DeliveryAttempts() {

		@Override
		public void failed(Throwable failure) {
		}

		@Override
		public void again() {
		}

	};

	/**
	 * Notes that the current attempt has failed. The time from now to the next attempt,
	 * or until the handler gives up, does not count as time that listeners take.
	 * @param failure the failure of the attempt
	 */
	void failed(Throwable failure);

	/** Notes that another attempt begins, after a failed one. */
	void again();

}
