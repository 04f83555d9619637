package dev.reflector.cache.snapshot;

/**
 * Stores the snapshots of reflectors, so that they survive the process. Each reflector
 * has one snapshot, which is found by the reflector's name.
 * <p>
 * Thread-safe. Several processes may share a store. Only one of them writes the snapshot
 * of a reflector, see {@link Snapshot#claim()}.
 *
 * @since 0.1.0
 */
public interface SnapshotStore {

	/**
	 * Opens the snapshot of a reflector. Opening a snapshot changes nothing that readers
	 * can see. Blocks.
	 * @param reflector the name of the reflector
	 * @return the snapshot, which the caller must close
	 * @throws SnapshotException when the store cannot be reached now
	 */
	Snapshot open(String reflector);

	/**
	 * Returns the place of the snapshots, for log lines and the endpoint: a file, or the
	 * URL of a database without credentials.
	 * @return the place, human-readable
	 */
	String location();

	/**
	 * Returns whether only this host can read the snapshots, as with a file on its disk.
	 * With the starter, a warning is logged if a store is local and replicas take over
	 * from each other, because a replica on another host cannot continue from these
	 * snapshots.
	 * @return whether the store is local; {@code false} by default, and if it is unknown
	 */
	default boolean isLocal() {
		return false;
	}

}
