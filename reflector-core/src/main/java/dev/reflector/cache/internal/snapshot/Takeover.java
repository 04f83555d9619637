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
 * The state that a replica finds when it takes over from another.
 *
 * @param <T> the type of the objects
 * @param found whether anything usable was stored; otherwise, handlers begin with all
 * objects
 * @param completed the objects that handlers have completed; if an object is the same as
 * in the mirror, it is the mirror's instance
 * @param announced objects that some handlers may have received as added since then
 * @param unknown completed or announced objects whose content cannot be read
 * @param cursors the versions of the state, by scope
 * @param sameShape whether the other replica writes objects with the same fields
 */
record Takeover<T>(boolean found, PersistentMap<ResourceKey, T> completed, Map<ResourceKey, T> announced,
		Map<ResourceKey, UnknownObject> unknown, Map<String, String> cursors, boolean sameShape) {

	/**
	 * Compares the stored state with the mirror.
	 * @param <T> the type of the objects
	 * @param restored the stored state
	 * @param present the objects of the mirror
	 * @param same whether an object of the mirror is the same as a stored object
	 * @return the result
	 */
	static <T> Takeover<T> of(RestoredState<T> restored, PersistentMap<ResourceKey, T> present,
			BiPredicate<T, T> same) {
		return new Takeover<>(restored.found(), aligned(restored.objects(), present, same), restored.announced(),
				restored.unknown(), restored.cursors(), restored.sameShape());
	}

	/**
	 * Returns the state that handlers continue from, or {@code null} if they begin with
	 * all objects.
	 */
	@Nullable CompletedObjects<T> handlers() {
		return this.found ? new CompletedObjects<>(this.completed, this.announced, this.unknown) : null;
	}

	/**
	 * Returns the stored objects, but uses the mirror's instance of each object that is
	 * the same in the mirror.
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
