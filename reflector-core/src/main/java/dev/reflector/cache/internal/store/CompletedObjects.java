package dev.reflector.cache.internal.store;

import java.util.Map;

import dev.reflector.ResourceKey;

/**
 * Objects from which other handlers can continue: handlers have completed all changes
 * that led to these objects.
 *
 * @param <T> the type of the objects
 * @param objects the objects
 * @param added further objects that some handlers may have received as added
 * @param unknown objects that belong to {@code objects} or {@code added}, but whose
 * content cannot be read; contained neither in {@code objects} nor in {@code added}
 */
public record CompletedObjects<T>(PersistentMap<ResourceKey, T> objects, Map<ResourceKey, T> added,
		Map<ResourceKey, UnknownObject> unknown) {

	/** Returns a state without objects, for handlers that have completed nothing. */
	public static <T> CompletedObjects<T> none() {
		return new CompletedObjects<>(PersistentMap.empty(), Map.of(), Map.of());
	}

}
