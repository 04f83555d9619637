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
 * The stored state that a replica finds when it takes over from another.
 *
 * @param <T> the type of the objects
 * @param found whether anything usable was stored; otherwise handlers begin with all
 * objects
 * @param completed the objects that handlers have completed; an object that is equal to
 * one of the mirror is the same instance
 * @param announced objects that some handlers may have received as added since then
 * @param unknown completed or announced objects whose content cannot be read
 * @param cursors the versions of the state, by scope
 * @param sameShape whether the other replica writes objects with the same fields
 */
record Takeover<T>(boolean found, PersistentMap<ResourceKey, T> completed, Map<ResourceKey, T> announced,
		Map<ResourceKey, UnknownObject> unknown, Map<String, String> cursors, boolean sameShape) {

	/**
	 * Compares what is stored with the mirror.
	 * @param <T> the type of the objects
	 * @param restored what is stored
	 * @param present the objects of the mirror
	 * @param same whether an object of the mirror is equal to a stored one
	 * @return the result
	 */
	static <T> Takeover<T> of(Restored<T> restored, PersistentMap<ResourceKey, T> present, BiPredicate<T, T> same) {
		return new Takeover<>(restored.found(), aligned(restored.objects(), present, same), restored.announced(),
				restored.unknown(), restored.cursors(), restored.sameShape());
	}

	/**
	 * Returns the objects from which handlers continue; {@code null} when they begin with
	 * all objects.
	 */
	@Nullable CompletedObjects<T> handlers() {
		return this.found ? new CompletedObjects<>(this.completed, this.announced, this.unknown) : null;
	}

	/**
	 * Returns the stored objects, but with the instances of the mirror where it has equal
	 * objects.
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
