package dev.reflector.cache.internal.snapshot;

import java.util.Map;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.internal.store.UnknownObject;

/**
 * The stored state with which a mirror is filled at the start.
 *
 * @param <T> the type of the objects
 * @param found whether anything usable was stored
 * @param objects the objects
 * @param announced objects that were announced, and perhaps delivered as added
 * @param unknown objects whose content cannot be read
 * @param cursors the version from which to resume, by scope; a scope without a cursor is
 * listed and compared
 * @param sameShape whether objects of the same version are equal; {@code false} when the
 * stored ones were written with other declared fields
 */
public record Restored<T>(boolean found, PersistentMap<ResourceKey, T> objects, Map<ResourceKey, T> announced,
		Map<ResourceKey, UnknownObject> unknown, Map<String, String> cursors, boolean sameShape) {

	public static <T> Restored<T> nothing() {
		return new Restored<>(false, PersistentMap.empty(), Map.of(), Map.of(), Map.of(), true);
	}

	/** Returns this state without its objects, for when they are in the mirror. */
	Restored<T> withoutObjects() {
		return new Restored<>(this.found, PersistentMap.empty(), this.announced, this.unknown, this.cursors,
				this.sameShape);
	}

	/** Returns this state without cursors, for when none of them is usable. */
	Restored<T> withoutCursors() {
		return new Restored<>(this.found, this.objects, this.announced, this.unknown, Map.of(), this.sameShape);
	}

}
