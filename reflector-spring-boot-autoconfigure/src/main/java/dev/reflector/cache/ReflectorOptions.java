package dev.reflector.cache;

import java.time.Duration;

/**
 * How a reflector behaves.
 *
 * @param pageSize page size of lists; 0 for the default of 500 where paging is used at
 * all (rule R-21)
 * @param minWatchTimeout least time after which the server is asked to end a watch; the
 * real value is drawn between it and twice it
 * @param bookmarks whether to ask for bookmarks
 * @param initialList how to get the full state
 * @param resyncPeriod how often to deliver every object again, {@link Duration#ZERO} for
 * never
 * @param backoff delays between attempts
 * @param ordering order in which the queue delivers
 * @param queueCapacity bound of the queue between the watch and the mirror, in deltas,
 * and of the queue in front of each handler, in changes. When they are full the watch is
 * no longer read, until the server in the end slows down or cuts it
 * @param drainTimeout how long a stop goes on delivering the changes that the mirror
 * already shows
 * @param overflow what happens when the queue in front of a handler is full
 */
public record ReflectorOptions(int pageSize, Duration minWatchTimeout, boolean bookmarks, InitialList initialList,
		Duration resyncPeriod, Backoff.Settings backoff, Ordering ordering, int queueCapacity, Duration drainTimeout,
		Overflow overflow) {

	/** What client-go does, in arrival order. */
	public static final ReflectorOptions DEFAULT = new ReflectorOptions(0, Duration.ofMinutes(5), true,
			InitialList.AUTO, Duration.ZERO, Backoff.Settings.DEFAULT, Ordering.ARRIVAL, 10_000, Duration.ofSeconds(10),
			Overflow.COALESCE);

	public ReflectorOptions {
		if (pageSize < 0) {
			throw new IllegalArgumentException("'pageSize' must not be negative");
		}
		if (minWatchTimeout.toSeconds() < 1) {
			throw new IllegalArgumentException("'minWatchTimeout' must be at least one second");
		}
		if (resyncPeriod.isNegative()) {
			throw new IllegalArgumentException("'resyncPeriod' must not be negative");
		}
		if (queueCapacity < 1) {
			throw new IllegalArgumentException("'queueCapacity' must be at least 1");
		}
		if (drainTimeout.isNegative()) {
			throw new IllegalArgumentException("'drainTimeout' must not be negative");
		}
	}

	/**
	 * The same options with another resync period.
	 * @param resyncPeriod the period
	 * @return the options
	 */
	public ReflectorOptions withResyncPeriod(Duration resyncPeriod) {
		return new ReflectorOptions(this.pageSize, this.minWatchTimeout, this.bookmarks, this.initialList, resyncPeriod,
				this.backoff, this.ordering, this.queueCapacity, this.drainTimeout, this.overflow);
	}

	/**
	 * The same options with another way to deal with a full queue of a handler.
	 * @param overflow what happens then
	 * @return the options
	 */
	public ReflectorOptions withOverflow(Overflow overflow) {
		return new ReflectorOptions(this.pageSize, this.minWatchTimeout, this.bookmarks, this.initialList,
				this.resyncPeriod, this.backoff, this.ordering, this.queueCapacity, this.drainTimeout, overflow);
	}

	/** What happens when the queue in front of a handler is full. */
	public enum Overflow {

		/**
		 * A change is merged into one of the same object that waits; only when there is
		 * none, the mirror and then the watch wait for the handler.
		 */
		COALESCE,

		/**
		 * The mirror and then the watch wait for the handler, which hears every change.
		 */
		BLOCK

	}

	/** How the full state is got. */
	public enum InitialList {

		/** Streamed where the server can do it, else listed. */
		AUTO,

		/** Streamed, with a list only while the server refuses. */
		STREAM,

		/** Listed. */
		LIST

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

}
