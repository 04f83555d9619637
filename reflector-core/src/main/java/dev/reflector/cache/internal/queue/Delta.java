package dev.reflector.cache.internal.queue;

import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a {@link DeltaFifo}.
 *
 * @param <T> the type of the objects
 */
public sealed interface Delta<T> {

	/**
	 * An object to store. Its kind describes how the object arrived, not whether it is
	 * new to the consumer.
	 *
	 * @param <T> the type of the objects
	 * @param kind how the object arrived
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
	 * @param object the last content of the object; for a tombstone, its last known state
	 * or {@code null}
	 * @param tombstone whether the deletion itself was not seen (client-go:
	 * {@code DeletedFinalStateUnknown}, rules D-01 to D-04)
	 * @param late whether the version is older than the version of an earlier delta; if
	 * so, the deletion is applied only if the mirror has no newer state of the object
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
	 * @param first whether this is the first complete state of its namespace
	 */
	record ReplacedAll<T>(Replacement<T> replacement, boolean first) implements Delta<T> {

	}

	/**
	 * A resync: every stored object must be delivered again to the listeners that are
	 * due.
	 *
	 * @param <T> the type of the objects
	 * @param namespace the namespace whose objects are delivered, or {@code null} for all
	 * @param begins called when the consumer reaches the resync; chooses the listeners
	 * that receive it, and returns whether there are any
	 */
	record SyncAll<T>(@Nullable String namespace, BooleanSupplier begins) implements Delta<T> {

	}

	/**
	 * A version that the server has reached without a further change.
	 *
	 * @param <T> the type of the objects
	 * @param resourceVersion the version
	 */
	record Bookmark<T>(String resourceVersion) implements Delta<T> {

	}

	/**
	 * A mark that is reached after all earlier deltas. The mark changes nothing.
	 *
	 * @param <T> the type of the objects
	 * @param reached called when the consumer reaches the mark; must return quickly
	 */
	record Mark<T>(Runnable reached) implements Delta<T> {

	}

	/** How an object to store arrived. */
	enum Kind {

		/** By {@link DeltaFifo#add}. */
		ADDED,

		/** By {@link DeltaFifo#update}. */
		UPDATED,

		/**
		 * By {@link DeltaFifo#late}: the version is older than the version of an earlier
		 * delta. The object is stored only if the mirror has no newer state of it.
		 */
		LATE,

		/** By {@link DeltaFifo#replace}, as a part of a complete state. */
		REPLACED,

		/**
		 * By {@link DeltaFifo#replace}, as a part of a complete state whose objects must
		 * be compared by content.
		 */
		REPLACED_BY_CONTENT,

		/** By {@link DeltaFifo#resync}. */
		SYNC;

		/** Whether the object is a part of a complete state. */
		public boolean isListed() {
			return this == REPLACED || this == REPLACED_BY_CONTENT;
		}

	}

	/**
	 * A complete state.
	 *
	 * @param <T> the type of the objects
	 * @param namespace the namespace of the state, or {@code null} for all
	 * @param objects the objects by key, in the order of arrival; never modified
	 * @param resourceVersion version of the state
	 * @param retained the keys of objects that exist but could not be read; the mirror
	 * keeps its last state of these objects
	 * @param blind whether some objects that exist have no readable key, so that a
	 * missing object may be one of them
	 * @param byContent whether objects must be compared by content, because one may have
	 * changed without a new version
	 * @param newest whether this is the server's newest state, requested after all known
	 * objects were seen; if so, each object that it lacks has been deleted, whatever the
	 * version of the object
	 * @param generation the generation of the mirrored slots when the state was
	 * requested, 0 for the whole collection
	 */
	record Replacement<T>(@Nullable String namespace, Map<ResourceKey, T> objects, String resourceVersion,
			Set<ResourceKey> retained, boolean blind, boolean byContent, boolean newest, long generation) {

		Replacement(@Nullable String namespace, Map<ResourceKey, T> objects, String resourceVersion,
				Set<ResourceKey> retained) {
			this(namespace, objects, resourceVersion, retained, false, false, false, 0);
		}

		/** Whether this state shows that an object no longer exists (D-02). */
		public boolean lacks(ResourceKey key) {
			return !this.blind && (this.namespace == null || this.namespace.equals(key.namespace()))
					&& !this.objects.containsKey(key) && !this.retained.contains(key);
		}

		/**
		 * Returns the version of this state if the server may have newer objects that
		 * this state lacks, or otherwise an empty string.
		 */
		public String mayLackObjectsAfter() {
			return this.newest ? "" : this.resourceVersion;
		}

	}

}
