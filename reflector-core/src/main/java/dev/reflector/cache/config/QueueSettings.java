package dev.reflector.cache.config;

/**
 * The queues of a reflector: one between the watch and the mirror, and one in front of
 * each handler. When they are full the watch is no longer read, until the server slows
 * down or ends it.
 *
 * @param ordering order in which the queue between the watch and the mirror delivers
 * @param queueCapacity bound of each queue: in deltas in front of the mirror, in changes
 * in front of a handler. A full state may exceed the bound: its changes wait together
 * until all handlers have them. The objects that a new handler receives first take no
 * room
 * @param overflow what happens when the queue in front of a handler is full
 * @since 0.1.0
 */
public record QueueSettings(Ordering ordering, int queueCapacity, Overflow overflow) {

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when one is out of its range
	 */
	public QueueSettings {
		if (queueCapacity < 1) {
			throw new IllegalArgumentException("'queueCapacity' must be at least 1");
		}
	}

	/** In which order the queue delivers. */
	public enum Ordering {

		/**
		 * In the order of arrival across all objects, with a list as one atomic step
		 * (what client-go's informers do by default since 1.36).
		 */
		ARRIVAL,

		/**
		 * Accumulated by key: all waiting deltas of an object at once, in the order in
		 * which the first of each arrived (client-go's DeltaFIFO).
		 */
		PER_KEY

	}

	/** What happens when the queue in front of a handler is full. */
	public enum Overflow {

		/**
		 * A change is merged into a waiting change of the same object. If there is none,
		 * the mirror waits for the handler. If this lasts, the watch waits, too.
		 */
		COALESCE,

		/**
		 * The mirror waits for the handler, which receives every change. If this lasts,
		 * the watch waits, too.
		 */
		BLOCK

	}

}
