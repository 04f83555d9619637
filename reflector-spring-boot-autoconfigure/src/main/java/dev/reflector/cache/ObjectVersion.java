package dev.reflector.cache;

import dev.reflector.ResourceKey;

/**
 * All that is needed of an object to tell whether two sides have the same.
 *
 * @param key key of the object
 * @param resourceVersion version of the object
 */
public record ObjectVersion(ResourceKey key, String resourceVersion) {

}
