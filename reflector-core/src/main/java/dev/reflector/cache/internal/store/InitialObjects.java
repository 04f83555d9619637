package dev.reflector.cache.internal.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import dev.reflector.ResourceKey;

/**
 * The objects of the mirror that a new handler receives first. They are read while they
 * are delivered, so they need no space in a queue, and a slow handler does not delay
 * others.
 *
 * @param <T> the type of the objects
 * @param entries the objects with their keys; never changes, and may be read repeatedly
 * @param size the number of objects
 */
public record InitialObjects<T>(Iterable<Map.Entry<ResourceKey, T>> entries, int size) {

	/**
	 * Returns all objects of a map.
	 * @param <T> the type of the objects
	 * @param objects the objects by key
	 * @return the initial objects
	 */
	public static <T> InitialObjects<T> all(PersistentMap<ResourceKey, T> objects) {
		return new InitialObjects<>(objects::iterator, objects.size());
	}

	/**
	 * Returns only those objects whose keys are selected. Keeps their order.
	 * @param share selects the keys
	 * @return the selected objects
	 */
	public InitialObjects<T> of(Predicate<ResourceKey> share) {
		return new InitialObjects<>(() -> stream(share).iterator(), (int) stream(share).count());
	}

	/**
	 * Returns only those objects that pass a test of key and object. Keeps their order.
	 * @param part tests key and object
	 * @return a copy of the selected objects
	 */
	public InitialObjects<T> where(BiPredicate<ResourceKey, T> part) {
		List<Map.Entry<ResourceKey, T>> found = new ArrayList<>();
		this.entries.forEach((entry) -> {
			if (part.test(entry.getKey(), entry.getValue())) {
				found.add(entry);
			}
		});
		return new InitialObjects<>(found, found.size());
	}

	private Stream<Map.Entry<ResourceKey, T>> stream(Predicate<ResourceKey> share) {
		return StreamSupport.stream(this.entries.spliterator(), false).filter((entry) -> share.test(entry.getKey()));
	}

}
