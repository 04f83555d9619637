package dev.reflector.cache.snapshot;

import java.time.Duration;
import java.util.Objects;

/**
 * The options of a durable mirror: where and how its snapshot is stored.
 *
 * @param <T> the type of the objects
 * @param store stores the snapshot
 * @param codec converts objects to bytes and back
 * @param resume whether a start resumes the watch from the stored version if possible;
 * otherwise, every start lists and compares the list with the snapshot
 * @param onMismatch what to do with a snapshot that is damaged, or of another cluster,
 * type or format
 * @param commitInterval the shortest time between two commits
 * @param writeAhead whether an added object is stored before listeners receive it, so
 * that its deletion can be delivered after a crash even if the server no longer has the
 * object
 * @param application the name of the application, empty when it has none. If an
 * application with another name is the writer of the snapshot, the reflector waits until
 * that application has ended
 * @param announceTimeout how long the delivery of an added object waits for a store that
 * accepts nothing; after that, the object is delivered without being stored first
 * @since 0.1.0
 */
public record SnapshotOptions<T>(SnapshotStore store, SnapshotCodec<T> codec, boolean resume, OnMismatch onMismatch,
		Duration commitInterval, boolean writeAhead, String application, Duration announceTimeout) {

	public SnapshotOptions {
		Objects.requireNonNull(store, "'store' must not be null");
		Objects.requireNonNull(codec, "'codec' must not be null");
		if (commitInterval.isNegative()) {
			throw new IllegalArgumentException("'commitInterval' must not be negative");
		}
		if (announceTimeout.isNegative() || announceTimeout.isZero()) {
			throw new IllegalArgumentException("'announceTimeout' must be positive");
		}
	}

	/**
	 * Returns a builder with the defaults.
	 * @param <T> the type of the objects
	 * @param store stores the snapshot
	 * @param codec converts objects to bytes and back
	 * @return the builder
	 */
	public static <T> Builder<T> builder(SnapshotStore store, SnapshotCodec<T> codec) {
		return new Builder<>(store, codec);
	}

	/**
	 * What to do with a snapshot that is damaged, or of another cluster, type or format.
	 */
	public enum OnMismatch {

		/** Sets the snapshot aside. Everything is delivered as added. */
		RELIST,

		/** Prevents the start of the reflector. */
		FAIL

	}

	/**
	 * Builds options.
	 *
	 * @param <T> the type of the objects
	 */
	public static final class Builder<T> {

		private final SnapshotStore store;

		private final SnapshotCodec<T> codec;

		private boolean resume = true;

		private OnMismatch onMismatch = OnMismatch.RELIST;

		private Duration commitInterval = Duration.ofMillis(100);

		private boolean writeAhead = true;

		private String application = "";

		private Duration announceTimeout = Duration.ofSeconds(1);

		private Builder(SnapshotStore store, SnapshotCodec<T> codec) {
			this.store = store;
			this.codec = codec;
		}

		/**
		 * Sets {@link SnapshotOptions#resume()}. The default is {@code true}.
		 * @param resume the value
		 * @return this builder
		 */
		public Builder<T> resume(boolean resume) {
			this.resume = resume;
			return this;
		}

		/**
		 * Sets {@link SnapshotOptions#onMismatch()}. The default is
		 * {@link OnMismatch#RELIST}.
		 * @param onMismatch the value
		 * @return this builder
		 */
		public Builder<T> onMismatch(OnMismatch onMismatch) {
			this.onMismatch = onMismatch;
			return this;
		}

		/**
		 * Sets {@link SnapshotOptions#commitInterval()}. The default is 100 ms.
		 * @param commitInterval the value
		 * @return this builder
		 */
		public Builder<T> commitInterval(Duration commitInterval) {
			this.commitInterval = commitInterval;
			return this;
		}

		/**
		 * Sets {@link SnapshotOptions#writeAhead()}. The default is {@code true}.
		 * @param writeAhead the value
		 * @return this builder
		 */
		public Builder<T> writeAhead(boolean writeAhead) {
			this.writeAhead = writeAhead;
			return this;
		}

		/**
		 * Sets {@link SnapshotOptions#application()}. The default is an empty name.
		 * @param application the value
		 * @return this builder
		 */
		public Builder<T> application(String application) {
			this.application = application;
			return this;
		}

		/**
		 * Sets {@link SnapshotOptions#announceTimeout()}. The default is one second.
		 * @param announceTimeout the value
		 * @return this builder
		 */
		public Builder<T> announceTimeout(Duration announceTimeout) {
			this.announceTimeout = announceTimeout;
			return this;
		}

		/**
		 * Builds the options.
		 * @return the options
		 * @throws IllegalArgumentException when a value is out of its range
		 */
		public SnapshotOptions<T> build() {
			return new SnapshotOptions<>(this.store, this.codec, this.resume, this.onMismatch, this.commitInterval,
					this.writeAhead, this.application, this.announceTimeout);
		}

	}

}
