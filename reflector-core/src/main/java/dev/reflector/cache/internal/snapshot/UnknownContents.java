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
 * The objects whose content in the store is unknown: this process could not read the
 * content, or could not write it and has stored only key, uid and version. Changed under
 * the lock of {@link OpenSnapshot}. Any thread may read.
 */
final class UnknownContents {

	private final Map<ResourceKey, UnknownObject> unread = new ConcurrentHashMap<>();

	/**
	 * The unreadable objects that are no longer stored, because the store was restored
	 * from a backup.
	 */
	private final Map<ResourceKey, UnknownObject> lost = new ConcurrentHashMap<>();

	private final Set<ResourceKey> unwritten = ConcurrentHashMap.newKeySet();

	/** Sets the stored objects that cannot be read. */
	void restored(Map<ResourceKey, UnknownObject> objects) {
		this.unwritten.clear();
		this.unread.clear();
		this.lost.clear();
		this.unread.putAll(objects);
	}

	/** Returns the objects that cannot be read, whether they are stored or lost. */
	Map<ResourceKey, UnknownObject> unread() {
		if (this.unread.isEmpty() && this.lost.isEmpty()) {
			return Map.of();
		}
		Map<ResourceKey, UnknownObject> all = new HashMap<>(this.lost);
		all.putAll(this.unread);
		return all;
	}

	/**
	 * Returns the unreadable objects that are no longer stored and must be stored again.
	 */
	Map<ResourceKey, UnknownObject> lost() {
		return new HashMap<>(this.lost);
	}

	boolean isUnread(ResourceKey key) {
		return this.unread.containsKey(key);
	}

	/** Notes that an object was replaced or removed in the store. */
	void replaced(ResourceKey key) {
		this.unread.remove(key);
		this.lost.remove(key);
	}

	/** Notes that the content of a stored object is no longer known. */
	void keep(ResourceKey key, UnknownObject object) {
		this.unread.put(key, object);
	}

	/**
	 * Updates, after a commit, which objects are stored without content because this
	 * process could not write it.
	 */
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
