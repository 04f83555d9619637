package dev.reflector.cache.internal.snapshot;

import java.util.Map;
import java.util.function.BiPredicate;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.CompletedObjects;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.internal.store.PersistentMapBuilder;
import dev.reflector.cache.internal.store.UnknownObject;
import org.jspecify.annotations.Nullable;

/**
 * The stored state that a replica finds when it takes over from another replica.
 *
 * @param <T> the type of the objects
 * @param found whether anything usable was stored; if not, handlers begin with all
 * objects
 * @param completed the objects whose changes handlers have completed; if an object is the
 * same in the mirror, the mirror's instance is used
 * @param announced objects whose addition handlers have not completed, although some
 * handlers may have received it
 * @param unknown objects that belong to {@code completed} or {@code announced}, but whose
 * content cannot be read
 * @param cursors the version of the state for each namespace. If all namespaces are
 * followed together, the only key is the empty string
 * @param reached see {@link RestoredState#reached()}
 * @param sameShape whether the objects were stored with the current declared fields
 */
record Takeover<T>(boolean found, PersistentMap<ResourceKey, T> completed, Map<ResourceKey, T> announced,
		Map<ResourceKey, UnknownObject> unknown, Map<String, String> cursors, Map<String, String> reached,
		boolean sameShape) {

	/**
	 * Creates the takeover of a stored state.
	 * @param <T> the type of the objects
	 * @param restored the stored state
	 * @param present the objects of the mirror
	 * @param same returns whether an object of the mirror is the same as a stored object
	 * @return the takeover
	 */
	static <T> Takeover<T> of(RestoredState<T> restored, PersistentMap<ResourceKey, T> present,
			BiPredicate<T, T> same) {
		return new Takeover<>(restored.found(), aligned(restored.objects(), present, same), restored.announced(),
				restored.unknown(), restored.cursors(), restored.reached(), restored.sameShape());
	}

	/**
	 * Returns the state that handlers continue from, or {@code null} if they begin with
	 * all objects.
	 */
	@Nullable CompletedObjects<T> handlers() {
		return this.found ? new CompletedObjects<>(this.completed, this.announced, this.unknown) : null;
	}

	/**
	 * Returns the stored objects. If an object is the same in the mirror, the result
	 * contains the mirror's instance of the object.
	 */
	static <T> PersistentMap<ResourceKey, T> aligned(PersistentMap<ResourceKey, T> stored,
			PersistentMap<ResourceKey, T> present, BiPredicate<T, T> same) {
		PersistentMapBuilder<ResourceKey, T> aligned = new PersistentMapBuilder<>();
		stored.forEach((key, object) -> {
			T now = present.get(key);
			aligned.add(key, (now != null && same.test(now, object)) ? now : object);
		});
		return aligned.build();
	}

}
