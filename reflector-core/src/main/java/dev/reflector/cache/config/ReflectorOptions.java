package dev.reflector.cache.config;

import java.time.Duration;

/**
 * How a reflector behaves.
 *
 * @param pageSize page size of lists; 0 for the default of 500 where paging is used at
 * all (rule R-21)
 * @param minWatchTimeout least time after which the server is asked to end a watch; the
 * real value is drawn between it and twice it. With {@link Compatibility#CLIENT_GO} it is
 * never less than five minutes
 * @param watchOverlap how long before the end of a watch the next one is opened at least,
 * so that no change is heard late for want of a watch, {@link Duration#ZERO} for not
 * before it has ended; the real value is drawn between it and twice it. Watches of less
 * than four times its length end without, as do those whose versions have no order (rule
 * W-69), and all with {@link Compatibility#CLIENT_GO}
 * @param bookmarks whether to ask for bookmarks
 * @param initialList how to get the full state
 * @param resyncPeriod how often to deliver every object again, {@link Duration#ZERO} for
 * never
 * @param verifyPeriod how often to compare the mirror with the server, and to list anew
 * when they differ, {@link Duration#ZERO} for never
 * @param backoff delays between attempts
 * @param ordering order in which the queue delivers
 * @param queueCapacity bound of the queue between the watch and the mirror, in deltas,
 * and of the queue in front of each handler, in changes. When they are full the watch is
 * no longer read, until the server in the end slows down or cuts it. What one complete
 * state changes waits as a whole until it has been handed out, and what a handler begins
 * with needs no room
 * @param drainTimeout how long a stop goes on delivering the changes that the mirror
 * already shows
 * @param overflow what happens when the queue in front of a handler is full
 * @param compatibility whether defects of client-go are kept
 * @param consistentFirstList whether a first state that is listed must be the newest,
 * rather than any the server has at hand (E-25)
 * @param recreationDetected whether an object that comes back with another uid is
 * delivered as a deletion and an addition rather than as an update (E-24)
 * @param internalErrorRetry for how long internal errors (500) of a watch are survived
 * without a new list, counted anew after each list, {@link Duration#ZERO} for not at all
 * (rule R-65)
 * @param concurrency how many threads call each handler; all changes of an object come on
 * one of them, and the capacity of the handler's queue is divided among them
 * @param slowListenerThreshold how long a handler's call may go on until a warning names
 * it, {@link Duration#ZERO} for ever
 * @since 0.1.0
 */
public record ReflectorOptions(int pageSize, Duration minWatchTimeout, Duration watchOverlap, boolean bookmarks,
		InitialList initialList, Duration resyncPeriod, Duration verifyPeriod, BackoffSettings backoff,
		Ordering ordering, int queueCapacity, Duration drainTimeout, Overflow overflow, Compatibility compatibility,
		boolean consistentFirstList, boolean recreationDetected, Duration internalErrorRetry, int concurrency,
		Duration slowListenerThreshold) {

	/** What client-go does, in arrival order and without its known defects. */
	public static final ReflectorOptions DEFAULT = new Builder().build();

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when one is out of its range
	 */
	public ReflectorOptions {
		if (pageSize < 0) {
			throw new IllegalArgumentException("'pageSize' must not be negative");
		}
		if (minWatchTimeout.toSeconds() < 1) {
			throw new IllegalArgumentException("'minWatchTimeout' must be at least one second");
		}
		if (queueCapacity < 1) {
			throw new IllegalArgumentException("'queueCapacity' must be at least 1");
		}
		if (concurrency < 1) {
			throw new IllegalArgumentException("'concurrency' must be at least 1");
		}
		requireNotNegative("watchOverlap", watchOverlap);
		requireNotNegative("resyncPeriod", resyncPeriod);
		requireNotNegative("verifyPeriod", verifyPeriod);
		requireNotNegative("drainTimeout", drainTimeout);
		requireNotNegative("internalErrorRetry", internalErrorRetry);
		requireNotNegative("slowListenerThreshold", slowListenerThreshold);
	}

	private static void requireNotNegative(String name, Duration value) {
		if (value.isNegative()) {
			throw new IllegalArgumentException("'" + name + "' must not be negative");
		}
	}

	/**
	 * Begins to describe options, from the defaults on.
	 * @return the description
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Begins to describe options that differ from these.
	 * @return the description
	 */
	public Builder mutate() {
		return new Builder(this);
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

	/** What becomes of defects that client-go is known for. */
	public enum Compatibility {

		/** They are avoided. */
		NONE,

		/** They are kept, for exact parity. */
		CLIENT_GO

	}

	/**
	 * Describes options. What is not said has the value of {@link #DEFAULT}.
	 */
	public static final class Builder {

		private int pageSize;

		private Duration minWatchTimeout = Duration.ofMinutes(5);

		private Duration watchOverlap = Duration.ofSeconds(5);

		private boolean bookmarks = true;

		private InitialList initialList = InitialList.AUTO;

		private Duration resyncPeriod = Duration.ZERO;

		private Duration verifyPeriod = Duration.ZERO;

		private BackoffSettings backoff = BackoffSettings.DEFAULT;

		private Ordering ordering = Ordering.ARRIVAL;

		private int queueCapacity = 10_000;

		private Duration drainTimeout = Duration.ofSeconds(10);

		private Overflow overflow = Overflow.COALESCE;

		private Compatibility compatibility = Compatibility.NONE;

		private boolean consistentFirstList;

		private boolean recreationDetected = true;

		private Duration internalErrorRetry = Duration.ZERO;

		private int concurrency = 1;

		private Duration slowListenerThreshold = Duration.ZERO;

		private Builder() {
		}

		private Builder(ReflectorOptions options) {
			this.pageSize = options.pageSize();
			this.minWatchTimeout = options.minWatchTimeout();
			this.watchOverlap = options.watchOverlap();
			this.bookmarks = options.bookmarks();
			this.initialList = options.initialList();
			this.resyncPeriod = options.resyncPeriod();
			this.verifyPeriod = options.verifyPeriod();
			this.backoff = options.backoff();
			this.ordering = options.ordering();
			this.queueCapacity = options.queueCapacity();
			this.drainTimeout = options.drainTimeout();
			this.overflow = options.overflow();
			this.compatibility = options.compatibility();
			this.consistentFirstList = options.consistentFirstList();
			this.recreationDetected = options.recreationDetected();
			this.internalErrorRetry = options.internalErrorRetry();
			this.concurrency = options.concurrency();
			this.slowListenerThreshold = options.slowListenerThreshold();
		}

		/**
		 * Sets {@link ReflectorOptions#pageSize()}.
		 * @param pageSize the value
		 * @return this description
		 */
		public Builder pageSize(int pageSize) {
			this.pageSize = pageSize;
			return this;
		}

		/**
		 * Sets {@link ReflectorOptions#minWatchTimeout()}.
		 * @param minWatchTimeout the value
		 * @return this description
		 */
		public Builder minWatchTimeout(Duration minWatchTimeout) {
			this.minWatchTimeout = minWatchTimeout;
			return this;
		}

		/**
		 * Sets {@link ReflectorOptions#watchOverlap()}.
		 * @param watchOverlap the value
		 * @return this description
		 */
		public Builder watchOverlap(Duration watchOverlap) {
			this.watchOverlap = watchOverlap;
			return this;
		}

		/**
		 * Sets {@link ReflectorOptions#bookmarks()}.
		 * @param bookmarks the value
		 * @return this description
		 */
		public Builder bookmarks(boolean bookmarks) {
			this.bookmarks = bookmarks;
			return this;
		}

		/**
		 * Sets {@link ReflectorOptions#initialList()}.
		 * @param initialList the value
		 * @return this description
		 */
		public Builder initialList(InitialList initialList) {
			this.initialList = initialList;
			return this;
		}

		/**
		 * Sets {@link ReflectorOptions#resyncPeriod()}.
		 * @param resyncPeriod the value
		 * @return this description
		 */
		public Builder resyncPeriod(Duration resyncPeriod) {
			this.resyncPeriod = resyncPeriod;
			return this;
		}

		/**
		 * Sets {@link ReflectorOptions#verifyPeriod()}.
		 * @param verifyPeriod the value
		 * @return this description
		 */
		public Builder verifyPeriod(Duration verifyPeriod) {
			this.verifyPeriod = verifyPeriod;
			return this;
		}

		/**
		 * Sets {@link ReflectorOptions#backoff()}.
		 * @param backoff the value
		 * @return this description
		 */
		public Builder backoff(BackoffSettings backoff) {
			this.backoff = backoff;
			return this;
		}

		/**
		 * Sets {@link ReflectorOptions#ordering()}.
		 * @param ordering the value
		 * @return this description
		 */
		public Builder ordering(Ordering ordering) {
			this.ordering = ordering;
			return this;
		}

		/**
		 * Sets {@link ReflectorOptions#queueCapacity()}.
		 * @param queueCapacity the value
		 * @return this description
		 */
		public Builder queueCapacity(int queueCapacity) {
			this.queueCapacity = queueCapacity;
			return this;
		}

		/**
		 * Sets {@link ReflectorOptions#drainTimeout()}.
		 * @param drainTimeout the value
		 * @return this description
		 */
		public Builder drainTimeout(Duration drainTimeout) {
			this.drainTimeout = drainTimeout;
			return this;
		}

		/**
		 * Sets {@link ReflectorOptions#overflow()}.
		 * @param overflow the value
		 * @return this description
		 */
		public Builder overflow(Overflow overflow) {
			this.overflow = overflow;
			return this;
		}

		/**
		 * Sets {@link ReflectorOptions#compatibility()}.
		 * @param compatibility the value
		 * @return this description
		 */
		public Builder compatibility(Compatibility compatibility) {
			this.compatibility = compatibility;
			return this;
		}

		/**
		 * Sets {@link ReflectorOptions#consistentFirstList()}.
		 * @param consistentFirstList the value
		 * @return this description
		 */
		public Builder consistentFirstList(boolean consistentFirstList) {
			this.consistentFirstList = consistentFirstList;
			return this;
		}

		/**
		 * Sets {@link ReflectorOptions#recreationDetected()}.
		 * @param recreationDetected the value
		 * @return this description
		 */
		public Builder recreationDetected(boolean recreationDetected) {
			this.recreationDetected = recreationDetected;
			return this;
		}

		/**
		 * Sets {@link ReflectorOptions#internalErrorRetry()}.
		 * @param internalErrorRetry the value
		 * @return this description
		 */
		public Builder internalErrorRetry(Duration internalErrorRetry) {
			this.internalErrorRetry = internalErrorRetry;
			return this;
		}

		/**
		 * Sets {@link ReflectorOptions#concurrency()}.
		 * @param concurrency the value
		 * @return this description
		 */
		public Builder concurrency(int concurrency) {
			this.concurrency = concurrency;
			return this;
		}

		/**
		 * Sets {@link ReflectorOptions#slowListenerThreshold()}.
		 * @param slowListenerThreshold the value
		 * @return this description
		 */
		public Builder slowListenerThreshold(Duration slowListenerThreshold) {
			this.slowListenerThreshold = slowListenerThreshold;
			return this;
		}

		/**
		 * Makes the options.
		 * @return the options
		 * @throws IllegalArgumentException when a value is out of its range
		 */
		public ReflectorOptions build() {
			return new ReflectorOptions(this.pageSize, this.minWatchTimeout, this.watchOverlap, this.bookmarks,
					this.initialList, this.resyncPeriod, this.verifyPeriod, this.backoff, this.ordering,
					this.queueCapacity, this.drainTimeout, this.overflow, this.compatibility, this.consistentFirstList,
					this.recreationDetected, this.internalErrorRetry, this.concurrency, this.slowListenerThreshold);
		}

	}

}
