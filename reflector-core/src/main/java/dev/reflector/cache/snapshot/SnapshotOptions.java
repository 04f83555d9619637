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
 * @param onMismatch what to do with a snapshot of another cluster, type or format, or
 * with a damaged one
 * @param commitInterval the least time between two commits
 * @param writeAhead whether an added object is stored before listeners hear of it, so
 * that its deletion can be told after a crash, whatever the server remembers
 * @param application the name of the application, empty when it has none: a snapshot that
 * an application of another name writes is waited for
 * @since 0.1.0
 */
public record SnapshotOptions<T>(SnapshotStore store, SnapshotCodec<T> codec, boolean resume, OnMismatch onMismatch,
		Duration commitInterval, boolean writeAhead, String application) {

	public SnapshotOptions {
		Objects.requireNonNull(store, "'store' must not be null");
		Objects.requireNonNull(codec, "'codec' must not be null");
		if (commitInterval.isNegative()) {
			throw new IllegalArgumentException("'commitInterval' must not be negative");
		}
	}

	/**
	 * Options of an application that has no name.
	 * @param store keeps the snapshot
	 * @param codec writes and reads objects
	 * @param resume whether a watch is resumed from the stored version while that is
	 * possible
	 * @param onMismatch what to do with a snapshot that cannot be used
	 * @param commitInterval the least time between two commits
	 * @param writeAhead whether an added object is stored before listeners hear of it
	 */
	public SnapshotOptions(SnapshotStore store, SnapshotCodec<T> codec, boolean resume, OnMismatch onMismatch,
			Duration commitInterval, boolean writeAhead) {
		this(store, codec, resume, onMismatch, commitInterval, writeAhead, "");
	}

	/**
	 * What to do with a snapshot of another cluster, type or format, or with a damaged
	 * one.
	 */
	public enum OnMismatch {

		/** Set it aside, and deliver everything as added. */
		RELIST,

		/** Do not start. */
		FAIL

	}

}
