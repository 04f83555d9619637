package dev.reflector.cache.snapshot;

/**
 * The stored state of one reflector. All methods block. Not thread-safe: the caller uses
 * it from one thread at a time.
 * <p>
 * A commit is durable when {@link #commit} returns: it survives the end of the process
 * and, as far as the store promises that, of the machine. A process that ends in the
 * middle of a commit leaves the state before it.
 * <p>
 * Each commit names the one before it, and a store takes it only if that one is the last
 * that it has. So a store that has lost commits, or was put back to an earlier state,
 * refuses the next change instead of adding it to a state that it does not belong to.
 *
 * @since 0.1.0
 */
public interface Snapshot extends AutoCloseable {

	/**
	 * Becomes the one writer of this snapshot, unless another process or another open
	 * snapshot is. The claim ends with {@link #close()}, or with the process, without
	 * waiting for any clock. May be called again: by the writer, to learn whether it
	 * still is; by others, to learn whether the writer has gone.
	 * @return whether the caller is the writer now
	 * @throws SnapshotException when the store cannot be reached now
	 */
	boolean claim();

	/**
	 * Reads the stored state as it is at one moment. Needs no claim.
	 * @param reader gets the head first, and then the objects if it wants them
	 * @return whether anything is stored
	 * @throws SnapshotCorruptException when what is stored cannot be read; the reader may
	 * have got a part of it
	 * @throws SnapshotException when the store cannot be reached now
	 */
	boolean load(SnapshotReader reader);

	/**
	 * Stores changes, all of them or none. In the same transaction, compares
	 * {@link SnapshotCommit#previous()} with the name of the commit that is stored, and
	 * replaces that by {@link SnapshotCommit#id()}.
	 * @param commit what has changed
	 * @throws SnapshotFencedException when the caller is not, or no longer, the writer
	 * @throws SnapshotGapException when the last commit that is stored has another name
	 * than the one that this commit builds on; the caller is still the writer
	 * @throws SnapshotException when it could not be stored, or that is not known
	 */
	void commit(SnapshotCommit commit);

	/**
	 * Moves the stored state aside: it can still be inspected, but is no longer loaded.
	 * The snapshot is empty afterwards.
	 * @param reason why, human-readable
	 * @return where it is now, human-readable
	 * @throws SnapshotFencedException when the caller is not the writer
	 * @throws SnapshotException when the store cannot be reached now
	 */
	String setAside(String reason);

	/**
	 * How much is stored. Needs no claim.
	 * @return the facts
	 * @throws SnapshotException when the store cannot be reached now
	 */
	SnapshotFacts facts();

	/** Gives up the claim, if there is one, and releases what was opened. */
	@Override
	void close();

}
