package dev.reflector.cache.internal.delivery;

import java.util.ArrayList;
import java.util.List;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.internal.store.CompletedObjects;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.internal.store.PersistentMapDifferences;
import dev.reflector.cache.internal.store.SkippedVersions;
import dev.reflector.cache.internal.store.UnknownObject;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Finds the changes, including deletions, that handlers have missed between a state that
 * they have completed and the current state.
 * <p>
 * An object counts as deleted only if it certainly no longer exists. If the mirror lacks
 * an object because the object cannot be read, or because the mirror has not reached the
 * version of the object, the object is undecided. If the server later reports the object
 * unchanged, the object enters the mirror, and no change is delivered. If the object is
 * missing in a later list, it counts as deleted. If only a list can decide this, a list
 * of the newest state is requested.
 *
 * @param <T> the type of the objects
 * @param accessor reads metadata
 * @param indexer the mirror, which keeps the undecided objects
 * @param skipped the objects that the server has in an unreadable form
 * @param list requests a list of the newest state
 */
record RecoveredChanges<T>(ResourceAccessor<T> accessor, Indexer<T> indexer, SkippedVersions skipped, Runnable list) {

	/**
	 * Finds the changes. A recreated object results in a deletion and an addition. An
	 * undecided object results in no change. Called under the lock of {@link Handlers},
	 * so that the mirror does not change during the call.
	 * @param completed the state that handlers have completed
	 * @param present the current state
	 * @return the changes, deletions first
	 */
	List<Change<T>> between(CompletedObjects<T> completed, PersistentMap<ResourceKey, T> present) {
		Found<T> found = new Found<>();
		List<Change<T>> changes = found.changes;
		PersistentMap<ResourceKey, T> objects = completed.objects();
		PersistentMapDifferences.forEachRemoved(objects, present, (key, object) -> gone(key, object, false, found));
		completed.added().forEach((key, object) -> {
			if (objects.get(key) == null && present.get(key) == null) {
				gone(key, object, true, found);
			}
		});
		completed.unknown().forEach((key, unknown) -> {
			T now = present.get(key);
			if (now == null && isUndecided(key, unknown.resourceVersion(), found)) {
				undecided(key, unknown.uid(), unknown.resourceVersion(), unknown.announced());
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
				// unchanged: the object entered the mirror after the stored state was
				// read
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
		if (found.needsList) {
			this.list.run();
		}
		return changes;
	}

	private void gone(ResourceKey key, T object, boolean announced, Found<T> found) {
		String version = this.accessor.resourceVersion(object);
		if (isUndecided(key, version, found)) {
			undecided(key, this.accessor.uid(object), version, announced);
		}
		else {
			found.changes.add(change(Change.Type.DELETED, key, object, object));
		}
	}

	private void undecided(ResourceKey key, String uid, String version, boolean announced) {
		this.indexer.unknown()
			.add(key, new UnknownObject(uid, version, announced, this.indexer.isBehind(key, version)));
	}

	/** Whether the server may still have an object that the mirror lacks. */
	private boolean isUndecided(ResourceKey key, String version, Found<T> found) {
		if (this.skipped.contains(key)) {
			return true;
		}
		boolean behind = this.indexer.isBehind(key, version);
		if (this.indexer.unknown().contains(key)) {
			// requested again, because an earlier run may have ended before its list
			// arrived
			found.needsList |= behind;
			return true;
		}
		boolean undecided = this.skipped.isIncomplete() || behind;
		found.needsList |= undecided;
		return undecided;
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

	/** The results of a comparison so far. */
	private static final class Found<T> {

		private final List<Change<T>> changes = new ArrayList<>();

		/** Whether only a list can show whether some object still exists. */
		private boolean needsList;

	}

}
