package dev.reflector.cache.internal.delivery;

import java.util.Map;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * The objects that handlers receive: all objects of the collection, or the objects of
 * slots. The writer of the mirror reports its progress to this interface.
 *
 * @param <T> the type of the objects
 */
public sealed interface DeliveredObjects<T> permits AllObjects, SlotHandlers {

	/**
	 * Whether handlers start with all objects at once. If not, they may start with a part
	 * of the objects whenever {@link #handedOut()} is called.
	 */
	boolean beginAtOnce();

	/** Whether an object belongs to the part of the collection that is mirrored. */
	boolean isMirrored(ResourceKey key, T object);

	/**
	 * Returns those of the given objects that belong to the part of the collection that
	 * is mirrored.
	 */
	Map<ResourceKey, T> mirrored(Map<ResourceKey, T> objects);

	/**
	 * Called when a complete state was written into the mirror, before the lock of this
	 * write is released.
	 * @param namespace the namespace of the state, {@code null} for all
	 * @param generation the generation of the mirrored slots when the state was requested
	 */
	void listed(@Nullable String namespace, long generation);

	/**
	 * Called when all changes of the mirror are in the queues of the handlers, by the
	 * thread that writes the mirror.
	 */
	void handedOut();

}
