package dev.reflector.cache.internal.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.internal.store.PersistentMapDifferences;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * The changes that handlers have missed, deletions included: those between a state that
 * they have completed and the present one.
 *
 * @param <T> the type of the objects
 * @param accessor reads metadata
 */
record RecoveredChanges<T>(ResourceAccessor<T> accessor) {

	/**
	 * Finds the changes. An object that was recreated is a deletion and an addition.
	 * @param completed the state
	 * @param added objects that handlers may have been told as added since then
	 * @param present the present state
	 * @return the changes, deletions first
	 */
	List<Change<T>> between(PersistentMap<ResourceKey, T> completed, Map<ResourceKey, T> added,
			PersistentMap<ResourceKey, T> present) {
		List<Change<T>> changes = new ArrayList<>();
		PersistentMapDifferences.forEachRemoved(completed, present,
				(key, object) -> changes.add(change(Change.Type.DELETED, key, object, object)));
		added.forEach((key, object) -> {
			if (completed.get(key) == null && present.get(key) == null) {
				changes.add(change(Change.Type.DELETED, key, object, object));
			}
		});
		PersistentMapDifferences.forEachSet(completed, present, (key, object) -> {
			T before = completed.get(key);
			if (before != null && before.equals(object)) {
				// it came to the mirror after what is stored was read
				return;
			}
			T former = (before != null) ? before : added.get(key);
			if (former != null && isRecreated(former, object)) {
				changes.add(change(Change.Type.DELETED, key, former, former));
				before = null;
			}
			changes.add((before != null) ? change(Change.Type.UPDATED, key, object, before)
					: change(Change.Type.ADDED, key, object, null));
		});
		return changes;
	}

	private boolean isRecreated(T before, T object) {
		String uid = this.accessor.uid(before);
		String now = this.accessor.uid(object);
		return !uid.isEmpty() && !now.isEmpty() && !uid.equals(now);
	}

	private Change<T> change(Change.Type type, ResourceKey key, T object, @Nullable T before) {
		return new Change<>(type, key, object, before, this.accessor.resourceVersion(object), false,
				type == Change.Type.DELETED, Change.Cause.RECOVERED);
	}

}
