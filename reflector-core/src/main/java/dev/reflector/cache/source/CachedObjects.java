package dev.reflector.cache.source;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The objects that a mirror holds already. A {@link ListerWatcher} that knows key and
 * version of an object before it has read all of it can return the cached object if it
 * has not changed, instead of reading it again. The engine puts this into the context of
 * a request for a full state, unless the mirror is empty; a source need not use it.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
@FunctionalInterface
public interface CachedObjects<T> {

	/**
	 * Finds an object that the mirror holds in exactly this version. May be called from
	 * any thread.
	 * @param key key of the object
	 * @param uid its identifier, empty when it is not known
	 * @param resourceVersion its version
	 * @return the object of the mirror; {@code null} when the mirror has none or another
	 * one, or when its content may be wrong
	 */
	@Nullable T find(ResourceKey key, String uid, String resourceVersion);

	/**
	 * Puts cached objects into a context.
	 * @param context the context
	 * @param known the objects
	 * @return the context with the objects
	 */
	static Context in(Context context, CachedObjects<?> known) {
		return context.put(CachedObjects.class, known);
	}

	/**
	 * Returns the held objects of a context.
	 * @param <T> the type of the objects of the source
	 * @param context the context of a request
	 * @return the objects, {@code null} when there are none
	 */
	@SuppressWarnings("unchecked")
	static <T> @Nullable CachedObjects<T> of(ContextView context) {
		return (CachedObjects<T>) context.getOrDefault(CachedObjects.class, null);
	}

}
