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

	/**
	 * The objects that could not be read, and that are missing in a store that was
	 * restored from a backup.
	 */
	private final Map<ResourceKey, UnknownObject> lost = new ConcurrentHashMap<>();

	private final Set<ResourceKey> unwritten = ConcurrentHashMap.newKeySet();

	/** Sets the objects that are stored and cannot be read. */
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

	/** Returns the objects that must be stored again. */
	Map<ResourceKey, UnknownObject> lost() {
		return new HashMap<>(this.lost);
	}

	boolean isUnread(ResourceKey key) {
		return this.unread.containsKey(key);
	}

	/** Notes that something else is stored in place of an object, or nothing. */
	void replaced(ResourceKey key) {
		this.unread.remove(key);
		this.lost.remove(key);
	}

	/** Notes that the content of a stored object is no longer known. */
	void keep(ResourceKey key, UnknownObject object) {
		this.unread.put(key, object);
	}

	/** Notes the objects that a commit has stored, and the keys that it has removed. */
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
	 * Notes that the stored objects were read again, without their contents.
	 * @param stored the keys of all objects that are stored
	 * @param empty the keys of the stored objects that have no content
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
