package dev.reflector.cache.internal.delivery;

import java.util.ArrayList;
import java.util.List;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.internal.store.CompletedObjects;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.internal.store.PersistentMapDifferences;
import dev.reflector.cache.internal.store.SkippedVersions;
import dev.reflector.cache.internal.store.UnknownObject;
import dev.reflector.cache.internal.store.UnknownObjects;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * The changes that handlers have missed, deletions included: those between a state that
 * they have completed and the present one.
 *
 * @param <T> the type of the objects
 * @param accessor reads metadata
 * @param undecided objects that handlers have completed and the mirror lacks, although
 * the server may have them
 * @param skipped objects that the server has in a form that could not be read
 */
record RecoveredChanges<T>(ResourceAccessor<T> accessor, UnknownObjects undecided, SkippedVersions skipped) {

	/**
	 * Finds the changes. An object that was recreated is a deletion and an addition. One
	 * that the mirror lacks only because it cannot be read is no change, and becomes
	 * {@code undecided}. Called while the mirror does not change.
	 * @param completed the state
	 * @param present the present state
	 * @return the changes, deletions first
	 */
	List<Change<T>> between(CompletedObjects<T> completed, PersistentMap<ResourceKey, T> present) {
		List<Change<T>> changes = new ArrayList<>();
		PersistentMap<ResourceKey, T> objects = completed.objects();
		PersistentMapDifferences.forEachRemoved(objects, present, (key, object) -> gone(key, object, false, changes));
		completed.added().forEach((key, object) -> {
			if (objects.get(key) == null && present.get(key) == null) {
				gone(key, object, true, changes);
			}
		});
		completed.unknown().forEach((key, unknown) -> {
			T now = present.get(key);
			if (now == null && isThere(key)) {
				this.undecided.add(key, unknown);
			}
			else if (now == null || unknown.isOther(now, this.accessor)) {
				changes.add(
						Change.ofUnknownContent(key, unknown.uid(), unknown.resourceVersion(), Change.Cause.RECOVERED));
			}
		});
		PersistentMapDifferences.forEachSet(objects, present, (key, object) -> {
			T before = objects.get(key);
			UnknownObject unknown = completed.unknown().get(key);
			if ((before != null && before.equals(object))
					|| (unknown != null && unknown.isCompleted(object, this.accessor))) {
				// it came to the mirror after what is stored was read
				return;
			}
			T former = (before != null) ? before : completed.added().get(key);
			if (former != null && isRecreated(former, object)) {
				changes.add(change(Change.Type.DELETED, key, former, former));
				before = null;
			}
			changes.add((before != null) ? change(Change.Type.UPDATED, key, object, before)
					: change(Change.Type.ADDED, key, object, null));
		});
		return changes;
	}

	private void gone(ResourceKey key, T object, boolean announced, List<Change<T>> changes) {
		if (isThere(key)) {
			this.undecided.add(key,
					new UnknownObject(this.accessor.uid(object), this.accessor.resourceVersion(object), announced));
		}
		else {
			changes.add(change(Change.Type.DELETED, key, object, object));
		}
	}

	/** Whether the server may have an object that the mirror lacks. */
	private boolean isThere(ResourceKey key) {
		return this.undecided.contains(key) || this.skipped.contains(key);
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
