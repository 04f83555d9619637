package dev.reflector.cache.internal.snapshot;

import java.util.Map;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.internal.store.UnknownObject;

/**
 * The state that a mirror is filled with at the start.
 *
 * @param <T> the type of the objects
 * @param found whether anything usable was stored
 * @param objects the objects
 * @param announced objects that were announced, and perhaps delivered as added
 * @param unknown objects whose content cannot be read
 * @param cursors the versions to resume from, by scope; a scope without a version is
 * listed and compared
 * @param sameShape whether objects of the same version have the same content, which is
 * not so if the stored ones were written with other declared fields
 */
public record RestoredState<T>(boolean found, PersistentMap<ResourceKey, T> objects, Map<ResourceKey, T> announced,
		Map<ResourceKey, UnknownObject> unknown, Map<String, String> cursors, boolean sameShape) {

	public static <T> RestoredState<T> nothing() {
		return new RestoredState<>(false, PersistentMap.empty(), Map.of(), Map.of(), Map.of(), true);
	}

	/** Returns this state without its objects, once these are in the mirror. */
	RestoredState<T> withoutObjects() {
		return new RestoredState<>(this.found, PersistentMap.empty(), this.announced, this.unknown, this.cursors,
				this.sameShape);
	}

	/** Returns this state without its cursors, once these cannot be used any more. */
	RestoredState<T> withoutCursors() {
		return new RestoredState<>(this.found, this.objects, this.announced, this.unknown, Map.of(), this.sameShape);
	}

}
