package dev.reflector.cache.internal.delivery;

import java.util.Map;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * The objects that handlers receive: all of the collection, or those of slots. The writer
 * of the mirror asks it, and says how far it is.
 *
 * @param <T> the type of the objects
 */
public sealed interface DeliveredObjects<T> permits AllObjects, SlotHandlers {

	/**
	 * Whether handlers begin with all of them at once. Otherwise a part may begin after
	 * any hand-out.
	 */
	boolean beginAtOnce();

	/** Whether an object is mirrored. */
	boolean isMirrored(ResourceKey key, T object);

	/** Those of some objects that are mirrored. */
	Map<ResourceKey, T> mirrored(Map<ResourceKey, T> objects);

	/**
	 * A complete state is in the mirror. Called while it is written.
	 * @param namespace the namespace it is the state of, {@code null} for all
	 * @param generation of the slots that it was asked for
	 */
	void listed(@Nullable String namespace, long generation);

	/**
	 * All changes of the mirror are in the queues of the handlers. Called by the thread
	 * that writes the mirror.
	 */
	void handedOut();

}
