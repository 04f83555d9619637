package dev.reflector.cache;

import dev.reflector.ResourceKey;

/**
 * Reads the metadata of a mirrored object.
 *
 * @param <T> the type of the objects
 * @see MetadataAccessor
 */
public interface ResourceAccessor<T> {

	/**
	 * Key of an object.
	 * @param object the object
	 * @return the key
	 * @throws IllegalArgumentException when the object has no metadata or no name
	 */
	ResourceKey key(T object);

	/**
	 * Version of an object.
	 * @param object the object
	 * @return the version, empty when it has none
	 */
	String resourceVersion(T object);

}
