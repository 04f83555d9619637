package dev.reflector.cache.snapshot;

/**
 * Keeps the snapshots of reflectors beyond the life of the process. Each reflector has
 * one snapshot, found by the reflector's name.
 * <p>
 * Thread-safe. Several processes may share a store; one of them writes the snapshot of a
 * reflector, see {@link Snapshot#claim()}.
 *
 * @since 0.1.0
 */
public interface SnapshotStore {

	/**
	 * Opens the snapshot of a reflector. Creates nothing that a reader could see before
	 * the first commit. Blocks.
	 * @param reflector the name of the reflector
	 * @return the snapshot, to be closed by the caller
	 * @throws SnapshotException when the store cannot be reached now
	 */
	Snapshot open(String reflector);

	/**
	 * Returns where the snapshots are, for log lines and the endpoint: a file or the URL
	 * of a database, without credentials.
	 * @return the place, human-readable
	 */
	String location();

}
