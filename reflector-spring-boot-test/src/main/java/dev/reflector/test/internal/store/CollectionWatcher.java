package dev.reflector.test.internal.store;

import dev.reflector.test.internal.api.ServedType;

/**
 * A reader of the history of one collection. The store only notifies the watcher of
 * changes, and the watcher then reads the changes from the store.
 */
public interface CollectionWatcher {

	/**
	 * Returns the type of the watched objects.
	 * @return the type
	 */
	ServedType type();

	/**
	 * Called by the store, under its lock, when the watcher is added.
	 * @param collection the current collection of the type; if the type is removed and
	 * added again, it has a new collection
	 */
	void tellsOf(StoredCollection collection);

	/**
	 * Returns the collection to which the watcher was added. Called by the store, under
	 * its lock.
	 * @return the collection
	 */
	StoredCollection collection();

	/**
	 * Called by the store, under its lock, when there may be new changes. Must not wait.
	 * @param type the type of the changed objects
	 */
	void wake(ServedType type);

	/**
	 * Called by the store, under its lock, when the store has removed the watcher. Must
	 * not wait.
	 * @param resourceVersion the version up to which the watcher must still send changes
	 */
	void finish(long resourceVersion);

	/**
	 * Makes the watcher send a bookmark soon. Must not wait.
	 */
	void sendBookmark();

}
