package dev.reflector.cache.snapshot;

/**
 * Receives a stored state while it is read.
 *
 * @since 0.1.0
 */
public interface SnapshotReader {

	/**
	 * Receives what the state is of and how far it goes. Called once, first.
	 * @param head the head
	 * @return whether the objects are wanted
	 */
	boolean head(SnapshotHead head);

	/**
	 * Receives an object. Each object comes once, in no order.
	 * @param object the object
	 */
	void object(StoredObject object);

}
