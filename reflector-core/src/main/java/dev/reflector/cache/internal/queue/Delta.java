package dev.reflector.cache.internal.queue;

import java.util.Map;
import java.util.Set;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a {@link DeltaFifo}.
 *
 * @param <T> the type of the objects
 */
public sealed interface Delta<T> {

	/**
	 * An object to store. Its kind says how it arrived, not whether it is new to the
	 * consumer.
	 *
	 * @param <T> the type of the objects
	 * @param kind how it arrived
	 * @param key key of the object
	 * @param object the object
	 */
	record Upsert<T>(Kind kind, ResourceKey key, T object) implements Delta<T> {

	}

	/**
	 * An object to remove.
	 *
	 * @param <T> the type of the objects
	 * @param key key of the object
	 * @param object last content of the object; for a tombstone the last state known
	 * here, or {@code null}
	 * @param tombstone whether the deletion itself was not seen (client-go:
	 * {@code DeletedFinalStateUnknown}, rules D-01 to D-04)
	 * @param late whether its version is older than what came before it; then it counts
	 * only if the mirror has nothing newer
	 */
	record Deleted<T>(ResourceKey key, @Nullable T object, boolean tombstone, boolean late) implements Delta<T> {

		Deleted(ResourceKey key, @Nullable T object, boolean tombstone) {
			this(key, object, tombstone, false);
		}

	}

	/**
	 * A new complete state, as one step.
	 *
	 * @param <T> the type of the objects
	 * @param replacement the state
	 * @param first whether it is the first one of its scope
	 */
	record ReplacedAll<T>(Replacement<T> replacement, boolean first) implements Delta<T> {

	}

	/**
	 * Every stored object must be delivered again.
	 *
	 * @param <T> the type of the objects
	 * @param namespace the namespace whose objects are meant, or {@code null} for all
	 */
	record SyncAll<T>(@Nullable String namespace) implements Delta<T> {

	}

	/**
	 * Only the version has moved.
	 *
	 * @param <T> the type of the objects
	 * @param resourceVersion the version
	 */
	record Bookmark<T>(String resourceVersion) implements Delta<T> {

	}

	/**
	 * A mark in the queue, behind everything that was queued before it. It changes
	 * nothing.
	 *
	 * @param <T> the type of the objects
	 * @param reached called when the consumer gets to the mark; must be short
	 */
	record Mark<T>(Runnable reached) implements Delta<T> {

	}

	/** How an object to store arrived. */
	enum Kind {

		/** By an add. */
		ADDED,

		/** By an update. */
		UPDATED,

		/**
		 * By an add or update whose version is older than what came before it: it counts
		 * only if the mirror has nothing newer.
		 */
		LATE,

		/** By a replace. */
		REPLACED,

		/** By a resync. */
		SYNC

	}

	/**
	 * A complete state.
	 *
	 * @param <T> the type of the objects
	 * @param namespace the namespace of which this is the state, or {@code null} for all
	 * @param objects the objects by key, in the order in which they came; not changed any
	 * more
	 * @param resourceVersion version of the state
	 * @param retained keys of objects that exist but could not be read: what the mirror
	 * holds of them stays
	 * @param anew whether an object may have changed although its version is equal
	 * @param generation the generation of the slots for which the state was requested, 0
	 * for the whole collection
	 */
	record Replacement<T>(@Nullable String namespace, Map<ResourceKey, T> objects, String resourceVersion,
			Set<ResourceKey> retained, boolean anew, long generation) {

		Replacement(@Nullable String namespace, Map<ResourceKey, T> objects, String resourceVersion,
				Set<ResourceKey> retained) {
			this(namespace, objects, resourceVersion, retained, false, 0);
		}

		public boolean covers(ResourceKey key) {
			return this.namespace == null || this.namespace.equals(key.namespace());
		}

	}

}
