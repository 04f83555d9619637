package dev.reflector.cache.config;

/**
 * The queues of a reflector: one between the watch and the mirror, and one in front of
 * each handler. When they are full, the reflector stops reading the watch, so that the
 * server slows down or ends the watch.
 *
 * @param ordering the order in which the queue between the watch and the mirror delivers
 * @param queueCapacity the largest number of entries of each queue: deltas in front of
 * the mirror, changes in front of a handler. A full state may exceed this number: all its
 * changes are queued together. The objects of the mirror that a new handler receives
 * first do not count
 * @param overflow what happens when the queue in front of a handler is full
 * @since 0.1.0
 */
public record QueueSettings(Ordering ordering, int queueCapacity, Overflow overflow) {

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when a value is out of its range
	 */
	public QueueSettings {
		if (queueCapacity < 1) {
			throw new IllegalArgumentException("'queueCapacity' must be at least 1");
		}
	}

	/** The order in which deltas leave the queue between the watch and the mirror. */
	public enum Ordering {

		/**
		 * In the order of arrival across all objects, with a list as one atomic step.
		 * This is the default of client-go's informers since 1.36.
		 */
		ARRIVAL,

		/**
		 * Accumulated by key: all queued deltas of an object are delivered together.
		 * Objects are delivered in the order in which the first queued delta of each
		 * object arrived (client-go's DeltaFIFO).
		 */
		PER_KEY

	}

	/** What happens when the queue in front of a handler is full. */
	public enum Overflow {

		/**
		 * A change is merged into a queued change of the same object. If the queue has no
		 * such change, the mirror waits for the handler. If this lasts, the watch waits,
		 * too.
		 */
		COALESCE,

		/**
		 * The mirror waits for the handler, which receives every change. If this lasts,
		 * the watch waits, too.
		 */
		BLOCK

	}

}
