package dev.reflector.cache.config;

import java.time.Duration;

import dev.reflector.cache.config.ListSettings.InitialList;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.config.QueueSettings.Overflow;

/**
 * The options of a reflector. Each component has the options of one part of the
 * reflector; the {@link #builder() builder} has a method for each option.
 *
 * @param list how to request the full state
 * @param watch how to watch
 * @param backoff the delays between attempts
 * @param queue the capacity and the order of the queues
 * @param delivery how to deliver changes to handlers
 * @param limits how much the mirror may hold
 * @param verifyPeriod how often to compare the mirror with the server, and to list again
 * when they differ; {@link Duration#ZERO} for never
 * @param compatibility whether the known defects of client-go are kept
 * @since 0.1.0
 */
public record ReflectorOptions(ListSettings list, WatchSettings watch, BackoffSettings backoff, QueueSettings queue,
		DeliverySettings delivery, LimitSettings limits, Duration verifyPeriod, Compatibility compatibility) {

	/**
	 * The default options: the behavior of client-go, without its known defects, and with
	 * the queue in the order of arrival. As in client-go, no warning names slow
	 * listeners. With the starter, a warning is logged after one second.
	 */
	public static final ReflectorOptions DEFAULT = new Builder().build();

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when a value is out of its range
	 */
	public ReflectorOptions {
		Checks.duration("verifyPeriod", verifyPeriod);
	}

	/**
	 * Returns a builder that starts with the values of {@link #DEFAULT}.
	 * @return the builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/** Builds options. An option that is not set has its value in {@link #DEFAULT}. */
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

		private Duration pollInterval = Duration.ofSeconds(30);

		private boolean recreationDetected = true;

		private Duration internalErrorRetry = Duration.ZERO;

		private int concurrency = 1;

		private Duration slowListenerThreshold = Duration.ZERO;

		private long maxObjects = LimitSettings.UNLIMITED;

		private long maxSize = LimitSettings.UNLIMITED;

		private Builder() {
		}

		/**
		 * Sets {@link ListSettings#pageSize()}.
		 * @param pageSize the value
		 * @return this builder
		 */
		public Builder pageSize(int pageSize) {
			this.pageSize = pageSize;
			return this;
		}

		/**
		 * Sets {@link WatchSettings#minWatchTimeout()}.
		 * @param minWatchTimeout the value
		 * @return this builder
		 */
		public Builder minWatchTimeout(Duration minWatchTimeout) {
			this.minWatchTimeout = minWatchTimeout;
			return this;
		}

		/**
		 * Sets {@link WatchSettings#watchOverlap()}.
		 * @param watchOverlap the value
		 * @return this builder
		 */
		public Builder watchOverlap(Duration watchOverlap) {
			this.watchOverlap = watchOverlap;
			return this;
		}

		/**
		 * Sets {@link WatchSettings#bookmarks()}.
		 * @param bookmarks the value
		 * @return this builder
		 */
		public Builder bookmarks(boolean bookmarks) {
			this.bookmarks = bookmarks;
			return this;
		}

		/**
		 * Sets {@link ListSettings#initialList()}.
		 * @param initialList the value
		 * @return this builder
		 */
		public Builder initialList(InitialList initialList) {
			this.initialList = initialList;
			return this;
		}

		/**
		 * Sets {@link DeliverySettings#resyncPeriod()}.
		 * @param resyncPeriod the value
		 * @return this builder
		 */
		public Builder resyncPeriod(Duration resyncPeriod) {
			this.resyncPeriod = resyncPeriod;
			return this;
		}

		/**
		 * Sets {@link ReflectorOptions#verifyPeriod()}.
		 * @param verifyPeriod the value
		 * @return this builder
		 */
		public Builder verifyPeriod(Duration verifyPeriod) {
			this.verifyPeriod = verifyPeriod;
			return this;
		}

		/**
		 * Sets {@link ReflectorOptions#backoff()}.
		 * @param backoff the value
		 * @return this builder
		 */
		public Builder backoff(BackoffSettings backoff) {
			this.backoff = backoff;
			return this;
		}

		/**
		 * Sets {@link QueueSettings#ordering()}.
		 * @param ordering the value
		 * @return this builder
		 */
		public Builder ordering(Ordering ordering) {
			this.ordering = ordering;
			return this;
		}

		/**
		 * Sets {@link QueueSettings#queueCapacity()}.
		 * @param queueCapacity the value
		 * @return this builder
		 */
		public Builder queueCapacity(int queueCapacity) {
			this.queueCapacity = queueCapacity;
			return this;
		}

		/**
		 * Sets {@link DeliverySettings#drainTimeout()}.
		 * @param drainTimeout the value
		 * @return this builder
		 */
		public Builder drainTimeout(Duration drainTimeout) {
			this.drainTimeout = drainTimeout;
			return this;
		}

		/**
		 * Sets {@link QueueSettings#overflow()}.
		 * @param overflow the value
		 * @return this builder
		 */
		public Builder overflow(Overflow overflow) {
			this.overflow = overflow;
			return this;
		}

		/**
		 * Sets {@link ReflectorOptions#compatibility()}.
		 * @param compatibility the value
		 * @return this builder
		 */
		public Builder compatibility(Compatibility compatibility) {
			this.compatibility = compatibility;
			return this;
		}

		/**
		 * Sets {@link ListSettings#consistentFirstList()}.
		 * @param consistentFirstList the value
		 * @return this builder
		 */
		public Builder consistentFirstList(boolean consistentFirstList) {
			this.consistentFirstList = consistentFirstList;
			return this;
		}

		/**
		 * Sets {@link DeliverySettings#recreationDetected()}.
		 * @param recreationDetected the value
		 * @return this builder
		 */
		public Builder recreationDetected(boolean recreationDetected) {
			this.recreationDetected = recreationDetected;
			return this;
		}

		/**
		 * Sets {@link WatchSettings#internalErrorRetry()}.
		 * @param internalErrorRetry the value
		 * @return this builder
		 */
		public Builder internalErrorRetry(Duration internalErrorRetry) {
			this.internalErrorRetry = internalErrorRetry;
			return this;
		}

		/**
		 * Sets {@link DeliverySettings#concurrency()}.
		 * @param concurrency the value
		 * @return this builder
		 */
		public Builder concurrency(int concurrency) {
			this.concurrency = concurrency;
			return this;
		}

		/**
		 * Sets {@link DeliverySettings#slowListenerThreshold()}.
		 * @param slowListenerThreshold the value
		 * @return this builder
		 */
		public Builder slowListenerThreshold(Duration slowListenerThreshold) {
			this.slowListenerThreshold = slowListenerThreshold;
			return this;
		}

		/**
		 * Sets {@link ListSettings#pollInterval()}.
		 * @param pollInterval the value
		 * @return this builder
		 */
		public Builder pollInterval(Duration pollInterval) {
			this.pollInterval = pollInterval;
			return this;
		}

		/**
		 * Sets {@link LimitSettings#maxObjects()}.
		 * @param maxObjects the value
		 * @return this builder
		 */
		public Builder maxObjects(long maxObjects) {
			this.maxObjects = maxObjects;
			return this;
		}

		/**
		 * Sets {@link LimitSettings#maxSize()}.
		 * @param maxSize the value
		 * @return this builder
		 */
		public Builder maxSize(long maxSize) {
			this.maxSize = maxSize;
			return this;
		}

		/**
		 * Builds the options.
		 * @return the options
		 * @throws IllegalArgumentException when a value is out of its range
		 */
		public ReflectorOptions build() {
			return new ReflectorOptions(
					new ListSettings(this.initialList, this.pageSize, this.consistentFirstList, this.pollInterval),
					new WatchSettings(this.minWatchTimeout, this.watchOverlap, this.bookmarks, this.internalErrorRetry),
					this.backoff, new QueueSettings(this.ordering, this.queueCapacity, this.overflow),
					new DeliverySettings(this.resyncPeriod, this.concurrency, this.recreationDetected,
							this.drainTimeout, this.slowListenerThreshold),
					new LimitSettings(this.maxObjects, this.maxSize), this.verifyPeriod, this.compatibility);
		}

	}

}
