package dev.reflector.cache.source;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The objects that are already in a mirror. A {@link ListerWatcher} that reads key and
 * version of an object first can return the cached object, if the object is unchanged,
 * and skip the rest of the response for that object. The engine puts the cached objects
 * into the context of a request for a full state, unless the mirror is empty. A source
 * need not use them.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
@FunctionalInterface
public interface CachedObjects<T> {

	/**
	 * Returns the object that the mirror holds in exactly this version. May be called
	 * from any thread.
	 * @param key key of the object
	 * @param uid uid of the object, empty when it is not known
	 * @param resourceVersion version of the object
	 * @return the object; {@code null} when the mirror does not hold this object in this
	 * version, or when its content may be wrong
	 */
	@Nullable T find(ResourceKey key, String uid, String resourceVersion);

	/**
	 * Returns a context that contains cached objects.
	 * @param context the context
	 * @param known the cached objects
	 * @return the context with the cached objects
	 */
	static Context in(Context context, CachedObjects<?> known) {
		return context.put(CachedObjects.class, known);
	}

	/**
	 * Returns the cached objects of a context.
	 * @param <T> the type of the objects of the source
	 * @param context the context of a request
	 * @return the cached objects, {@code null} when the context has none
	 */
	@SuppressWarnings("unchecked")
	static <T> @Nullable CachedObjects<T> of(ContextView context) {
		return (CachedObjects<T>) context.getOrDefault(CachedObjects.class, null);
	}

}
