package dev.reflector.cache.internal.snapshot;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.UnknownObject;
import dev.reflector.cache.snapshot.StoredObject;

/**
 * The stored objects of unknown content: those that were restored in a form that cannot
 * be read, and those that this process could not write. Changed under the lock of
 * {@link OpenSnapshot}. Any thread may read.
 */
final class UnknownContents {

	private final Map<ResourceKey, UnknownObject> unread = new ConcurrentHashMap<>();

	/** The objects that are missing in a store that was put back to an earlier state. */
	private final Map<ResourceKey, UnknownObject> lost = new ConcurrentHashMap<>();

	private final Set<ResourceKey> unwritten = ConcurrentHashMap.newKeySet();

	/** Adds objects that are stored and cannot be read. */
	void restored(Map<ResourceKey, UnknownObject> objects) {
		this.unwritten.clear();
		this.unread.clear();
		this.lost.clear();
		this.unread.putAll(objects);
	}

	/** Returns the objects that cannot be read, stored or lost. */
	Map<ResourceKey, UnknownObject> unread() {
		if (this.unread.isEmpty() && this.lost.isEmpty()) {
			return Map.of();
		}
		Map<ResourceKey, UnknownObject> all = new HashMap<>(this.lost);
		all.putAll(this.unread);
		return all;
	}

	/** Returns the objects to store again. */
	Map<ResourceKey, UnknownObject> lost() {
		return new HashMap<>(this.lost);
	}

	boolean isUnread(ResourceKey key) {
		return this.unread.containsKey(key);
	}

	/** Notes that something else is stored instead of an object, or nothing. */
	void replaced(ResourceKey key) {
		this.unread.remove(key);
		this.lost.remove(key);
	}

	/** Notes that the content of a stored object is no longer known. */
	void keep(ResourceKey key, UnknownObject object) {
		this.unread.put(key, object);
	}

	/** Notes what a commit has stored and removed. */
	void committed(Collection<StoredObject> upserts, Collection<ResourceKey> deletions) {
		for (StoredObject object : upserts) {
			if (object.contentUnknown()) {
				this.unwritten.add(object.key());
			}
			else if (!this.unwritten.isEmpty()) {
				this.unwritten.remove(object.key());
			}
		}
		if (!this.unwritten.isEmpty()) {
			deletions.forEach(this.unwritten::remove);
		}
	}

	/**
	 * Notes that the stored state was read again, without the contents.
	 * @param stored the keys of all stored objects
	 * @param empty the keys of stored objects without content
	 */
	void readAgain(Set<ResourceKey> stored, Set<ResourceKey> empty) {
		Map<ResourceKey, UnknownObject> all = unread();
		this.unread.clear();
		this.lost.clear();
		all.forEach((key, object) -> (stored.contains(key) ? this.unread : this.lost).put(key, object));
		this.unwritten.clear();
		this.unwritten.addAll(empty);
		this.unwritten.removeAll(this.unread.keySet());
	}

	int size() {
		return this.unread.size() + (int) this.unwritten.stream().filter((key) -> !isUnread(key)).count();
	}

}
