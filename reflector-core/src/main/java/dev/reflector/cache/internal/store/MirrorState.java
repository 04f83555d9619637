package dev.reflector.cache.internal.store;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

import dev.reflector.ResourceKey;

/**
 * One state of the mirror: objects, indices and version that belong together. Indices
 * hold only keys. So if an object changes but its index values stay the same, the indices
 * stay the same, too.
 *
 * @param <T> the type of the objects
 * @param objects the objects by key
 * @param indices the keys of the objects, by name of the index and by value
 * @param resourceVersion the version of the content, empty before the first write
 */
record MirrorState<T>(PersistentMap<ResourceKey, T> objects,
		PersistentMap<String, PersistentMap<String, PersistentMap<ResourceKey, ResourceKey>>> indices,
		String resourceVersion) {

	PersistentMap<String, PersistentMap<ResourceKey, ResourceKey>> index(String name) {
		PersistentMap<String, PersistentMap<ResourceKey, ResourceKey>> values = this.indices.get(name);
		if (values == null) {
			Set<String> names = new TreeSet<>();
			this.indices.forEach((other, keys) -> names.add(other));
			throw new IllegalArgumentException("There is no index '" + name + "', only " + names
					+ ": an index has the name of its bean, or the name with which it was added");
		}
		return values;
	}

	/**
	 * Calls an action with the object of a key, if there is one. After an index function
	 * has failed, an index may contain the key of a deleted object (E-12).
	 */
	void ifPresent(ResourceKey key, Consumer<T> action) {
		T object = this.objects.get(key);
		if (object != null) {
			action.accept(object);
		}
	}

}
