package dev.reflector.cache.internal.snapshot;

import java.util.Map;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.internal.store.UnknownObject;

/**
 * What a mirror is filled with at the start.
 *
 * @param <T> the type of the objects
 * @param found whether anything of use was stored
 * @param objects the objects
 * @param announced objects that were announced, and perhaps delivered as added
 * @param unknown objects of which the content cannot be read
 * @param cursors by scope, the version to resume from; a scope without one is listed and
 * compared
 * @param sameShape whether an object of the same version is the same object: not when it
 * was written with other declared fields
 */
public record RestoredState<T>(boolean found, PersistentMap<ResourceKey, T> objects, Map<ResourceKey, T> announced,
		Map<ResourceKey, UnknownObject> unknown, Map<String, String> cursors, boolean sameShape) {

	public static <T> RestoredState<T> nothing() {
		return new RestoredState<>(false, PersistentMap.empty(), Map.of(), Map.of(), Map.of(), true);
	}

	/** The rest, once the objects are in the mirror. */
	RestoredState<T> withoutObjects() {
		return new RestoredState<>(this.found, PersistentMap.empty(), this.announced, this.unknown, this.cursors,
				this.sameShape);
	}

	/** The rest, once no cursor is usable. */
	RestoredState<T> withoutCursors() {
		return new RestoredState<>(this.found, this.objects, this.announced, this.unknown, Map.of(), this.sameShape);
	}

}
