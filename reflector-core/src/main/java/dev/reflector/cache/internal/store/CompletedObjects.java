package dev.reflector.cache.internal.store;

import java.util.Map;

import dev.reflector.ResourceKey;

/**
 * The objects that handlers have completed: the state from which other handlers can
 * continue.
 *
 * @param <T> the type of the objects
 * @param objects the completed objects
 * @param added further objects that some handlers may have received as added
 * @param unknown completed objects whose content cannot be read; contained neither in
 * {@code objects} nor in {@code added}
 */
public record CompletedObjects<T>(PersistentMap<ResourceKey, T> objects, Map<ResourceKey, T> added,
		Map<ResourceKey, UnknownObject> unknown) {

	/** Returns a state without objects, for handlers that have completed nothing. */
	public static <T> CompletedObjects<T> none() {
		return new CompletedObjects<>(PersistentMap.empty(), Map.of(), Map.of());
	}

}
