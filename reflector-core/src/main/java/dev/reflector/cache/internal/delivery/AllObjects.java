package dev.reflector.cache.internal.delivery;

import java.util.Map;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * Delivers all objects of the collection. When a handler joins, it first receives all
 * objects of the mirror.
 *
 * @param <T> the type of the objects
 */
record AllObjects<T>() implements DeliveredObjects<T> {

	@Override
	public boolean beginAtOnce() {
		return true;
	}

	@Override
	public boolean isMirrored(ResourceKey key, T object) {
		return true;
	}

	@Override
	public Map<ResourceKey, T> mirrored(Map<ResourceKey, T> objects) {
		return objects;
	}

	@Override
	public void listed(@Nullable String namespace, long generation) {
		// no effect: handlers do not wait for a complete state
	}

	@Override
	public void handedOut() {
		// no effect: handlers do not wait for this call
	}

}
