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

	private final Set<ResourceKey> unwritten = ConcurrentHashMap.newKeySet();

	/** These are stored and cannot be read. */
	void restored(Map<ResourceKey, UnknownObject> objects) {
		this.unwritten.clear();
		this.unread.clear();
		this.unread.putAll(objects);
	}

	/** The stored objects that cannot be read. */
	Map<ResourceKey, UnknownObject> unread() {
		return this.unread.isEmpty() ? Map.of() : new HashMap<>(this.unread);
	}

	boolean isUnread(ResourceKey key) {
		return this.unread.containsKey(key);
	}

	/** Something else is stored in the place of an object, or nothing. */
	void replaced(ResourceKey key) {
		this.unread.remove(key);
	}

	/** A stored object is not known any more. */
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
		this.unread.keySet().retainAll(stored);
		this.unwritten.clear();
		this.unwritten.addAll(empty);
		this.unwritten.removeAll(this.unread.keySet());
	}

	int size() {
		return this.unread.size() + (int) this.unwritten.stream().filter((key) -> !isUnread(key)).count();
	}

}
