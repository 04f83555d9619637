package dev.reflector.cache.handler;

/**
 * Hears of the attempts that a handler makes on one change, so that each of them is timed
 * and counted on its own. A handler that gets by with one, or fails for good, has nothing
 * to tell. Called on the thread on which the handler was called, and only until that call
 * returns.
 *
 * @since 0.1.0
 */
public interface DeliveryAttempts {

	/** Nobody hears. */
	DeliveryAttempts NONE = new DeliveryAttempts() {

		@Override
		public void failed(Throwable failure) {
		}

		@Override
		public void again() {
		}

	};

	/**
	 * The present attempt has failed. What time passes from here to the next attempt, or
	 * until the handler gives up, is none that listeners take.
	 * @param failure what it has failed with
	 */
	void failed(Throwable failure);

	/**
	 * Another attempt begins, after one that has failed.
	 */
	void again();

}
