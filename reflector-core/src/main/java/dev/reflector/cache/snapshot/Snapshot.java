package dev.reflector.cache.snapshot;

/**
 * The stored state of one reflector. All methods block. Not thread-safe: the caller uses
 * it from one thread at a time.
 * <p>
 * A commit is durable when {@link #commit} returns: it survives the end of the process
 * and, as far as the store promises that, of the machine. A process that ends in the
 * middle of a commit leaves the state before it.
 * <p>
 * Each commit names the previous one, and a store accepts a commit only if its last
 * commit is that previous one. So a store that has lost commits, or was put back to an
 * earlier state, refuses the next commit instead of adding it to a state to which it does
 * not belong.
 *
 * @since 0.1.0
 */
public interface Snapshot extends AutoCloseable {

	/**
	 * Makes the caller the only writer of this snapshot, unless another process or
	 * another open snapshot is the writer. The claim ends with {@link #close()}, or with
	 * the process, without waiting for any clock. May be called again: by the writer, to
	 * check that it still is the writer; by others, to check whether the writer has
	 * ended.
	 * @return whether the caller is the writer now
	 * @throws SnapshotException when the store cannot be reached now
	 */
	boolean claim();

	/**
	 * Reads a consistent state, as it is stored at one moment. Needs no claim.
	 * @param reader receives the head first, and then the objects if it wants them
	 * @return whether anything is stored
	 * @throws SnapshotCorruptException when the stored state cannot be read; the reader
	 * may have received a part of it
	 * @throws SnapshotException when the store cannot be reached now
	 */
	boolean load(SnapshotReader reader);

	/**
	 * Stores changes, all of them or none. In the same transaction, compares
	 * {@link SnapshotCommit#previous()} with the name of the stored commit, and replaces
	 * that name by {@link SnapshotCommit#id()}.
	 * @param commit what has changed
	 * @throws SnapshotFencedException when the caller is not, or no longer, the writer
	 * @throws SnapshotGapException when the last stored commit is not
	 * {@link SnapshotCommit#previous()}; the caller is still the writer
	 * @throws SnapshotException when the commit could not be stored, or when that is not
	 * known
	 */
	void commit(SnapshotCommit commit);

	/**
	 * Moves the stored state aside: it can still be inspected, but is no longer loaded.
	 * The snapshot is empty afterwards.
	 * @param reason why the state is moved, human-readable
	 * @return where the state is now, human-readable
	 * @throws SnapshotFencedException when the caller is not the writer
	 * @throws SnapshotException when the store cannot be reached now
	 */
	String setAside(String reason);

	/**
	 * Returns how much is stored. Needs no claim.
	 * @return the numbers
	 * @throws SnapshotException when the store cannot be reached now
	 */
	SnapshotFacts facts();

	/** Gives up the claim, if there is one, and releases what was opened. */
	@Override
	void close();

}
