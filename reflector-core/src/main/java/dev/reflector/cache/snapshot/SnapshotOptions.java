package dev.reflector.cache.snapshot;

import java.time.Duration;
import java.util.Objects;

/**
 * Makes a mirror durable: where and how its snapshot is kept.
 *
 * @param <T> the type of the objects
 * @param store keeps the snapshot
 * @param codec writes and reads objects
 * @param resume whether a watch is resumed from the stored version while that is
 * possible; otherwise every start lists and compares
 * @param onMismatch what to do with a snapshot of something else
 * @param commitInterval the least time between two commits
 * @param writeAhead whether an added object is stored before listeners hear of it, so
 * that its deletion can be told after a crash, whatever the server remembers
 * @param announceTimeout how long listeners wait for that while the store accepts
 * nothing; then delivery continues without it
 * @since 0.1.0
 */
public record SnapshotOptions<T>(SnapshotStore store, SnapshotCodec<T> codec, boolean resume, OnMismatch onMismatch,
		Duration commitInterval, boolean writeAhead, Duration announceTimeout) {

	/** How long listeners wait for a store that accepts nothing, by default. */
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
	 * Creates options with the {@link #DEFAULT_ANNOUNCE_TIMEOUT}.
	 * @param store keeps the snapshot
	 * @param codec writes and reads objects
	 * @param resume whether a watch is resumed from the stored version
	 * @param onMismatch what to do with a snapshot of something else
	 * @param commitInterval the least time between two commits
	 * @param writeAhead whether an added object is stored before listeners hear of it
	 */
	public SnapshotOptions(SnapshotStore store, SnapshotCodec<T> codec, boolean resume, OnMismatch onMismatch,
			Duration commitInterval, boolean writeAhead) {
		this(store, codec, resume, onMismatch, commitInterval, writeAhead, DEFAULT_ANNOUNCE_TIMEOUT);
	}

	/** What to do with a snapshot of something else. */
	public enum OnMismatch {

		/** List everything and compare as far as that is possible. */
		RELIST,

		/** Do not start. */
		FAIL

	}

}
