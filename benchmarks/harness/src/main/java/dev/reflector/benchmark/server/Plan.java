package dev.reflector.benchmark.server;

/**
 * What a watch sends next.
 */
sealed interface Plan {

	/**
	 * Changes of the objects in turn, as fast as the client takes them.
	 *
	 * @param events how many
	 */
	record Burst(int events) implements Plan {

	}

	/**
	 * Changes at a steady rate, each with the time at which it was due: that the client
	 * did not take an earlier one counts against it.
	 *
	 * @param events how many
	 * @param rate how many in a second
	 */
	record Paced(int events, int rate) implements Plan {

	}

	/** Says that the version is too old, and ends. */
	record Expire() implements Plan {

	}

	/** Ends at once, without a word. */
	record Close() implements Plan {

	}

}
