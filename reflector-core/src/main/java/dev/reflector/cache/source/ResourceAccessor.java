package dev.reflector.cache.source;

import java.time.Instant;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * Reads the metadata of a mirrored object.
 *
 * @param <T> the type of the objects
 * @see MetadataAccessor
 * @since 0.1.0
 */
public interface ResourceAccessor<T> {

	/**
	 * Returns the key of an object.
	 * @param object the object
	 * @return the key
	 * @throws IllegalArgumentException when the object has no metadata or no name
	 */
	ResourceKey key(T object);

	/**
	 * Returns the version of an object.
	 * @param object the object
	 * @return the version, empty when the object has none
	 */
	String resourceVersion(T object);

	/**
	 * Returns the unique id of an object, which changes when the object is deleted and
	 * created again.
	 * @param object the object
	 * @return the id, empty when the object has none or the type does not declare it
	 */
	default String uid(T object) {
		return "";
	}

	/**
	 * Returns the time at which the server created an object.
	 * @param object the object
	 * @return the time, {@code null} when the object has none or the type does not
	 * declare it
	 */
	default @Nullable Instant creationTimestamp(T object) {
		return null;
	}

}
