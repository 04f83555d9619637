package dev.reflector.cache.snapshot;

/**
 * Receives the parts of a stored state while a snapshot is loaded.
 *
 * @since 0.1.0
 */
public interface SnapshotReader {

	/**
	 * Called once, before any object, with the head of the state.
	 * @param head the head
	 * @return whether to read the objects, too
	 */
	boolean head(SnapshotHead head);

	/**
	 * Called once for each object, in no particular order.
	 * @param object the object
	 */
	void object(StoredObject object);

}
