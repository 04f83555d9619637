package dev.reflector.cache.snapshot;

/**
 * The stored state of one reflector. All methods block. Not thread-safe: the caller uses
 * a snapshot from one thread at a time.
 * <p>
 * A commit is durable when {@link #commit} returns: it survives the end of the process.
 * If the store promises it, the commit also survives a crash of the machine. If a process
 * ends in the middle of a commit, the previous state stays stored.
 * <p>
 * Each commit contains the name of the commit before it. A store accepts a commit only if
 * the last stored commit has that name. So a store that has lost commits, or was put back
 * to an earlier state, refuses the next commit instead of applying it to the wrong state.
 *
 * @since 0.1.0
 */
public interface Snapshot extends AutoCloseable {

	/**
	 * Makes the caller the only writer of this snapshot, unless another process or
	 * another open snapshot is the writer. The claim ends when {@link #close()} is called
	 * or the process ends. Another process then need not wait until the claim expires.
	 * May be called again. A writer checks in this way whether it is still the writer.
	 * Another process can become the writer when the previous writer has ended.
	 * @return whether the caller is the writer now
	 * @throws SnapshotException when the store cannot be reached now
	 */
	boolean claim();

	/**
	 * Reads the state that is stored at one moment. Needs no claim.
	 * @param reader receives the head, and then the objects if
	 * {@link SnapshotReader#head} has returned {@code true}
	 * @return whether anything is stored
	 * @throws SnapshotCorruptException when the stored state cannot be read; the reader
	 * may have received part of the state
	 * @throws SnapshotException when the store cannot be reached now
	 */
	boolean load(SnapshotReader reader);

	/**
	 * Stores changes, all of them or none. In the same transaction, compares
	 * {@link SnapshotCommit#previous()} with the name of the stored commit, and replaces
	 * that name by {@link SnapshotCommit#id()}.
	 * @param commit the changes
	 * @throws SnapshotFencedException when the caller is not, or is no longer, the writer
	 * @throws SnapshotGapException when the last stored commit is not
	 * {@link SnapshotCommit#previous()}; the caller is still the writer
	 * @throws SnapshotException when the commit was not stored, or when it is unknown
	 * whether it was stored
	 */
	void commit(SnapshotCommit commit);

	/**
	 * Moves the stored state aside, where it can be inspected but is no longer loaded.
	 * The snapshot is empty afterwards.
	 * @param reason why the state is moved, human-readable
	 * @return the place of the moved state, human-readable
	 * @throws SnapshotFencedException when the caller is not the writer
	 * @throws SnapshotException when the store cannot be reached now
	 */
	String setAside(String reason);

	/**
	 * Returns facts about the stored state, such as its size. Needs no claim.
	 * @return the facts
	 * @throws SnapshotException when the store cannot be reached now
	 */
	SnapshotFacts facts();

	/**
	 * Gives up the claim, if there is one, and releases the resources of this snapshot.
	 */
	@Override
	void close();

}
