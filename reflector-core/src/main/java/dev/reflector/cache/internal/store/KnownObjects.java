package dev.reflector.cache.internal.store;

import java.util.function.BiConsumer;
import java.util.function.Consumer;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * The objects that the consumer of a queue of deltas already has (client-go:
 * {@code knownObjects}).
 *
 * @param <T> the type of the objects
 */
public interface KnownObjects<T> {

	/**
	 * Returns a known object.
	 * @param key the key of the object
	 * @return the object, or {@code null} if the object or its content is not known
	 */
	@Nullable T get(ResourceKey key);

	/**
	 * Visits every known object.
	 * @param action called with key and object
	 */
	void forEach(BiConsumer<ResourceKey, T> action);

	/**
	 * Whether an object is known. Its content may be unknown.
	 * @param key the key
	 */
	default boolean contains(ResourceKey key) {
		return get(key) != null;
	}

	/**
	 * Visits the keys of known objects of unknown content, except objects that are newer
	 * than a list.
	 * @param resourceVersion the version of the list, or an empty string if the list
	 * shows the newest state, so that it lacks only deleted objects
	 * @param action called with each key
	 */
	default void forEachUnknown(String resourceVersion, Consumer<ResourceKey> action) {
	}

	/**
	 * Whether the known state of an object is newer than a list. If so, a list without
	 * the object does not show that the object was deleted.
	 * @param resourceVersion the version of the list, or an empty string if the list
	 * shows the newest state, so that it lacks only deleted objects
	 * @param key the key of the object
	 */
	default boolean isNewerThan(String resourceVersion, ResourceKey key) {
		return false;
	}

}
