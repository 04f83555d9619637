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

	/** The default of {@link #announceTimeout()}. */
	public static final Duration DEFAULT_ANNOUNCE_TIMEOUT = Duration.ofSeconds(1);

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
	 * Creates options for an application that has no name, with the
	 * {@link #DEFAULT_ANNOUNCE_TIMEOUT}.
	 * @param store stores the snapshot
	 * @param codec converts objects to bytes and back
	 * @param resume whether a start resumes the watch from the stored version if possible
	 * @param onMismatch what to do with a snapshot that cannot be used
	 * @param commitInterval the shortest time between two commits
	 * @param writeAhead whether an added object is stored before listeners receive it
	 */
	public SnapshotOptions(SnapshotStore store, SnapshotCodec<T> codec, boolean resume, OnMismatch onMismatch,
			Duration commitInterval, boolean writeAhead) {
		this(store, codec, resume, onMismatch, commitInterval, writeAhead, "", DEFAULT_ANNOUNCE_TIMEOUT);
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

}
