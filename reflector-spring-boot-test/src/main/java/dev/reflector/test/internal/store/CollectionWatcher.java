package dev.reflector.test.internal.store;

import dev.reflector.test.internal.api.ServedType;

/**
 * Someone who reads on in the history of one collection. The store only wakes it: what
 * happened, it fetches itself.
 */
public interface CollectionWatcher {

	/**
	 * What it watches.
	 * @return the type
	 */
	ServedType type();

	/**
	 * Called by the store, under its lock, when the watcher is added.
	 * @param collection the collection of its type, which may be taken away and come back
	 * as another one
	 */
	void tellsOf(StoredCollection collection);

	/**
	 * Called by the store, under its lock.
	 * @return the collection it was added to
	 */
	StoredCollection collection();

	/**
	 * Called by the store, under its lock: there may be something new. Must not wait.
	 * @param type the type of what is new
	 */
	void wake(ServedType type);

	/**
	 * Called by the store, under its lock, when it has taken the watcher away. Must not
	 * wait.
	 * @param resourceVersion up to which version it must send what happened
	 */
	void finish(long resourceVersion);

	/**
	 * Asks for a bookmark soon. Must not wait.
	 */
	void sendBookmark();

}
