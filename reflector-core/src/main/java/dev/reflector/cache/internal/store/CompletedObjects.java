package dev.reflector.cache.internal.store;

import java.util.Map;

import dev.reflector.ResourceKey;

/**
 * The objects that handlers have completed, and from which other handlers continue.
 *
 * @param <T> the type of the objects
 * @param objects the objects
 * @param added objects that some handlers may have received as added since then
 * @param unknown completed objects whose content cannot be read; they are neither in
 * {@code objects} nor in {@code added}
 */
public record CompletedObjects<T>(PersistentMap<ResourceKey, T> objects, Map<ResourceKey, T> added,
		Map<ResourceKey, UnknownObject> unknown) {

	/** Returns the state in which nothing was completed. */
	public static <T> CompletedObjects<T> none() {
		return new CompletedObjects<>(PersistentMap.empty(), Map.of(), Map.of());
	}

}
