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

	/** Those of them that a store which was put back does not have. */
	private final Map<ResourceKey, UnknownObject> lost = new ConcurrentHashMap<>();

	private final Set<ResourceKey> unwritten = ConcurrentHashMap.newKeySet();

	/** These are stored and cannot be read. */
	void restored(Map<ResourceKey, UnknownObject> objects) {
		this.unwritten.clear();
		this.unread.clear();
		this.lost.clear();
		this.unread.putAll(objects);
	}

	/** The objects that cannot be read, stored or lost. */
	Map<ResourceKey, UnknownObject> unread() {
		if (this.unread.isEmpty() && this.lost.isEmpty()) {
			return Map.of();
		}
		Map<ResourceKey, UnknownObject> all = new HashMap<>(this.lost);
		all.putAll(this.unread);
		return all;
	}

	/** Those to store again. */
	Map<ResourceKey, UnknownObject> lost() {
		return new HashMap<>(this.lost);
	}

	boolean isUnread(ResourceKey key) {
		return this.unread.containsKey(key);
	}

	/** Something else is stored in the place of an object, or nothing. */
	void replaced(ResourceKey key) {
		this.unread.remove(key);
		this.lost.remove(key);
	}

	/** A stored object is no longer known. */
	void keep(ResourceKey key, UnknownObject object) {
		this.unread.put(key, object);
	}

	/** A commit has stored and removed these. */
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
	 * What is stored was read again, without reading its contents.
	 * @param stored the keys of all objects that are stored
	 * @param empty the keys of those without content
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
