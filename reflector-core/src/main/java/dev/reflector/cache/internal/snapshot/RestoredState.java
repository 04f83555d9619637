package dev.reflector.cache.internal.snapshot;

import java.util.Map;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.internal.store.UnknownObject;

/**
 * The stored state, as read at the start or in a takeover.
 *
 * @param <T> the type of the objects
 * @param found whether anything usable was stored
 * @param objects the objects
 * @param announced the objects that were announced, so that listeners may have received
 * their additions
 * @param unknown the objects whose content cannot be read
 * @param cursors the version from which each namespace resumes. If all namespaces are
 * followed together, the only key is the empty string. A namespace without a version is
 * listed and compared
 * @param reached the versions up to which listeners may have received changes, with the
 * same keys as the cursors, even if a watch cannot resume from these versions
 * @param sameShape whether objects of the same version have the same content, because
 * they were stored with the current declared fields
 */
public record RestoredState<T>(boolean found, PersistentMap<ResourceKey, T> objects, Map<ResourceKey, T> announced,
		Map<ResourceKey, UnknownObject> unknown, Map<String, String> cursors, Map<String, String> reached,
		boolean sameShape) {

	public static <T> RestoredState<T> nothing() {
		return new RestoredState<>(false, PersistentMap.empty(), Map.of(), Map.of(), Map.of(), Map.of(), true);
	}

	/**
	 * Returns a copy of this state without its objects. Used once the objects are in the
	 * mirror.
	 */
	RestoredState<T> withoutObjects() {
		return new RestoredState<>(this.found, PersistentMap.empty(), this.announced, this.unknown, this.cursors,
				this.reached, this.sameShape);
	}

	/**
	 * Returns a copy of this state without its cursors, so that no watch resumes from
	 * them.
	 */
	RestoredState<T> withoutCursors() {
		return new RestoredState<>(this.found, this.objects, this.announced, this.unknown, Map.of(), this.reached,
				this.sameShape);
	}

}
