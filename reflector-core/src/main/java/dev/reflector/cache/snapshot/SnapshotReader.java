package dev.reflector.cache.snapshot;

/**
 * Receives a stored state while it is read.
 *
 * @since 0.1.0
 */
public interface SnapshotReader {

	/**
	 * Receives the head, which describes the state. Called once, before any object.
	 * @param head the head
	 * @return whether the objects are wanted
	 */
	boolean head(SnapshotHead head);

	/**
	 * Receives an object. Called once for each object, in no particular order.
	 * @param object the object
	 */
	void object(StoredObject object);

}
