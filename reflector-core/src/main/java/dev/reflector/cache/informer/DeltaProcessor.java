package dev.reflector.cache.informer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.internal.delivery.DeliveredObjects;
import dev.reflector.cache.internal.delivery.Handlers;
import dev.reflector.cache.internal.delivery.PendingChanges;
import dev.reflector.cache.internal.queue.Delta;
import dev.reflector.cache.internal.store.AnnouncedObjects;
import dev.reflector.cache.internal.store.Counters;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.internal.store.InitialObjects;
import dev.reflector.cache.internal.store.KnownObjects;
import dev.reflector.cache.internal.store.ResourceVersions;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Applies deltas to the mirror and finds the resulting changes (client-go:
 * {@code processDeltas}).
 * <p>
 * An object counts as unchanged if the mirror has it in the same version and the source
 * confirms that both are the same. The mirror keeps the instance of an unchanged object,
 * and no handler is called (E-27). The deletion of an object that is not in the mirror is
 * not a change either.
 *
 * @param <T> the type of the objects
 */
final class DeltaProcessor<T> {

	private final ListerWatcher<T> source;

	private final ResourceAccessor<T> accessor;

	private final Indexer<T> indexer;

	/**
	 * The objects that an earlier process may have delivered as added, and that are not
	 * in the mirror.
	 */
	private final AnnouncedObjects<T> announced;

	/** Finds the changes of snapshot objects whose content cannot be read. */
	private final UnknownChanges<T> unknown;

	private final PendingChanges<T> pendingChanges;

	private final Counters counters;

	/**
	 * Whether unchanged objects of a list are delivered to handlers that are due for a
	 * resync (I-33).
	 */
	private final boolean redeliversUnchanged;

	private final boolean detectsRecreation;

	private final DeliveredObjects<T> delivered;

	/** Tests whether two objects with the same version have the same content. */
	private BiPredicate<T, T> sameContent = Object::equals;

	/** Whether the mirror was restored and has not received a complete state since. */
	private boolean recovering;

	DeltaProcessor(RunSetup<T> setup, Indexer<T> indexer, AnnouncedObjects<T> announced,
			PendingChanges<T> pendingChanges, Handlers<T> handlers, Counters counters) {
		this.delivered = handlers.delivered();
		this.source = setup.loop().listerWatcher();
		this.accessor = setup.loop().accessor();
		this.indexer = indexer;
		this.announced = announced;
		this.unknown = new UnknownChanges<>(indexer.unknown(), this.accessor);
		this.pendingChanges = pendingChanges;
		this.counters = counters;
		this.redeliversUnchanged = setup.loop().behaviour().redeliversUnchanged();
		this.detectsRecreation = setup.loop().behaviour().detectsRecreation(setup.loop().options().delivery());
	}

	/**
	 * Sets whether the mirror was filled from a snapshot. If so, differences from the
	 * snapshot are delivered as recovered changes and not as an initial list, until the
	 * mirror has synced.
	 */
	void recovering(boolean recovering) {
		this.recovering = recovering;
	}

	/**
	 * Sets the test for whether two objects with the same version have the same content.
	 */
	void compareBy(BiPredicate<T, T> sameContent) {
		this.sameContent = sameContent;
	}

	private Change.Cause listed() {
		return this.recovering ? Change.Cause.RECOVERED : Change.Cause.LIST;
	}

	/** Applies a delta to the mirror. Called only under the write lock. */
	void apply(Delta<T> delta, boolean isFirst) {
		boolean isInInitialList = isFirst && !this.recovering;
		if (delta instanceof Delta.Upsert<T> upsert) {
			if (this.delivered.isMirrored(upsert.key(), upsert.object())) {
				upsert(upsert, isInInitialList);
			}
		}
		else if (delta instanceof Delta.Deleted<T> deleted) {
			delete(deleted);
		}
		else if (delta instanceof Delta.ReplacedAll<T> all) {
			replace(mirrored(all.replacement()), all.first() && !this.recovering);
			this.delivered.listed(all.replacement().namespace(), all.replacement().generation());
		}
		else if (delta instanceof Delta.SyncAll<T> all) {
			resync(all);
		}
		else if (delta instanceof Delta.Bookmark<T> bookmark) {
			this.indexer.bookmark(bookmark.resourceVersion());
		}
		else if (delta instanceof Delta.Mark<T> mark) {
			mark.reached().run();
		}
	}

	private Delta.Replacement<T> mirrored(Delta.Replacement<T> state) {
		return new Delta.Replacement<>(state.namespace(), this.delivered.mirrored(state.objects()),
				state.resourceVersion(), state.retained(), state.blind(), state.byContent(), state.newest(),
				state.generation());
	}

	/**
	 * Returns the deletion of an object that an earlier process has stored, if another
	 * object now has its name. Returns nothing if that other object is older, because
	 * then the server has only repeated an earlier event.
	 */
	private Optional<Change<T>> predecessor(ResourceKey key, T object, Change.Cause cause) {
		Change<T> replaced = this.unknown.replaced(key, object, cause);
		if (replaced != null && this.detectsRecreation) {
			return Optional.of(replaced);
		}
		T announced = this.announced.remove(key, object);
		return (announced != null && recreated(announced, object))
				? Optional.of(deleted(key, announced, announced, true, cause)) : Optional.empty();
	}

	private void upsert(Delta.Upsert<T> delta, boolean isInInitialList) {
		T previous = this.indexer.get(delta.key());
		if (delta.kind() == Delta.Kind.SYNC) {
			if (previous != null) {
				this.pendingChanges.add(updated(delta.key(), previous, previous, Change.Cause.RESYNC));
			}
			return;
		}
		if (delta.kind() == Delta.Kind.LATE) {
			late(delta, previous, isInInitialList);
			return;
		}
		store(delta, previous, isInInitialList);
	}

	/**
	 * Applies an object whose version is older than the version of the mirror. The
	 * version of the mirror does not change. If the mirror has a newer object of this
	 * name, the mirror keeps the newer object.
	 */
	private void late(Delta.Upsert<T> delta, @Nullable T previous, boolean isInInitialList) {
		if (previous == null || !isNewer(previous, delta.object())) {
			String version = this.indexer.resourceVersion();
			store(delta, previous, isInInitialList);
			this.indexer.bookmark(version);
		}
	}

	private boolean isNewer(T held, T received) {
		return ResourceVersions.isGreater(this.accessor.resourceVersion(held), this.accessor.resourceVersion(received));
	}

	/**
	 * Stores an object. Creates the changes for the listeners first: if this fails, the
	 * mirror is not changed, so it contains no change that listeners never receive
	 * (E-10).
	 */
	private void store(Delta.Upsert<T> delta, @Nullable T previous, boolean isInInitialList) {
		T object = delta.object();
		Change.Cause cause = delta.kind().isListed() ? listed() : Change.Cause.WATCH;
		if (previous == null) {
			Change<T> added = added(delta.key(), object, isInInitialList, cause);
			boolean completed = this.unknown.isCompleted(delta.key(), object);
			predecessor(delta.key(), object, cause).ifPresent(this.pendingChanges::add);
			this.indexer.put(delta.key(), object);
			if (!completed) {
				this.counters.added.increment();
				this.pendingChanges.add(added);
			}
		}
		else if (unchanged(previous, object) && !isReadAnew(delta, previous)) {
			this.indexer.bookmark(this.accessor.resourceVersion(object));
			if (this.redeliversUnchanged) {
				// I-33: delivered to handlers that are due for a resync
				this.pendingChanges.add(updated(delta.key(), previous, object, Change.Cause.RESYNC));
			}
		}
		else if (recreated(previous, object)) {
			Change<T> deleted = deleted(delta.key(), previous, previous, true, cause);
			Change<T> added = added(delta.key(), object, false, cause);
			this.announced.remove(delta.key(), object);
			this.indexer.put(delta.key(), object);
			this.counters.deleted.increment();
			this.counters.added.increment();
			this.pendingChanges.add(deleted);
			this.pendingChanges.add(added);
		}
		else {
			Change<T> updated = updated(delta.key(), previous, object, cause);
			this.announced.remove(delta.key(), object);
			this.indexer.put(delta.key(), object);
			this.counters.updated.increment();
			this.pendingChanges.add(updated);
		}
	}

	/**
	 * Whether an object of a complete state differs in content from the object of the
	 * mirror with the same version. This is tested if the mirror was restored, or if the
	 * server may have used the version a second time (E-14).
	 */
	private boolean isReadAnew(Delta.Upsert<T> delta, T previous) {
		boolean compared = delta.kind() == Delta.Kind.REPLACED_BY_CONTENT
				|| (this.recovering && delta.kind() == Delta.Kind.REPLACED);
		return compared && !this.sameContent.test(previous, delta.object());
	}

	private void delete(Delta.Deleted<T> delta) {
		T object = delta.object();
		if (delta.late() && object != null) {
			T held = this.indexer.get(delta.key());
			if (held != null && isNewer(held, object)) {
				// the object was created again after this deletion
				return;
			}
		}
		T previous = (object != null && !delta.tombstone()) ? known(delta.key(), object) : known(delta.key());
		// D-04: the object of a tombstone is older than the deletion, so its version does
		// not count
		String version = (object != null && !delta.tombstone() && !delta.late()) ? this.accessor.resourceVersion(object)
				: "";
		if (previous != null) {
			// E-24: the server may have deleted another object with the same name: a
			// later one that could not be read, or an earlier one. Listeners have
			// received only the object of the mirror, whose own deletion was missed
			boolean other = object != null && recreated(previous, object);
			T last = (object != null && !other) ? object : previous;
			// created before the mirror is changed, as in store
			Change<T> deleted = deleted(delta.key(), previous, last, delta.tombstone() || other,
					(delta.tombstone() && object != null) ? listed() : Change.Cause.WATCH);
			this.indexer.delete(delta.key(), version);
			this.counters.deleted.increment();
			this.pendingChanges.add(deleted);
		}
		else {
			this.indexer.delete(delta.key(), version);
			deleteUnknown(delta.key(), delta.tombstone() ? null : object,
					delta.tombstone() ? listed() : Change.Cause.WATCH);
		}
	}

	private void deleteUnknown(ResourceKey key, @Nullable T last, Change.Cause cause) {
		Change<T> deleted = this.unknown.deleted(key, last, cause);
		if (deleted != null) {
			this.counters.deleted.increment();
			this.pendingChanges.add(deleted);
		}
	}

	/**
	 * Returns the object whose deletion must be delivered after the server has sent a
	 * deletion event with {@code deleted}, or {@code null} if there is none.
	 */
	private @Nullable T known(ResourceKey key, T deleted) {
		T announced = this.announced.remove(key, deleted);
		T previous = this.indexer.get(key);
		return (previous != null) ? previous : announced;
	}

	/**
	 * Returns the object whose deletion must be delivered after an object with this key
	 * was deleted, or {@code null} if there is none.
	 */
	private @Nullable T known(ResourceKey key) {
		T announced = this.announced.remove(key);
		T previous = this.indexer.get(key);
		return (previous != null) ? previous : announced;
	}

	/**
	 * Removes an object that was restored from the snapshot, because its namespace is no
	 * longer mirrored.
	 */
	void leave(ResourceKey key) {
		T previous = known(key);
		if (previous != null) {
			this.indexer.delete(key, "");
			this.counters.deleted.increment();
			this.pendingChanges.add(deleted(key, previous, previous, true, listed()));
		}
		else {
			deleteUnknown(key, null, listed());
		}
	}

	private void replace(Delta.Replacement<T> replacement, boolean first) {
		if (this.indexer.size() == 0 && this.announced.isEmpty() && this.unknown.isEmpty()) {
			fill(replacement, first);
		}
		else {
			update(replacement, first);
		}
	}

	/** Fills an empty mirror with a complete state, without comparing objects. */
	private void fill(Delta.Replacement<T> replacement, boolean first) {
		Map<ResourceKey, T> listed = replacement.objects();
		boolean asInitial = first && this.pendingChanges.isEmpty() && this.delivered.beginAtOnce();
		List<Change<T>> added = new ArrayList<>();
		if (!asInitial) {
			listed.forEach((key, object) -> added.add(added(key, object, first, listed())));
		}
		this.indexer.replace(listed, List.of(), replacement.resourceVersion());
		this.counters.added.add(listed.size());
		if (asInitial) {
			this.pendingChanges.fill(new InitialObjects<>(listed.entrySet(), listed.size()));
		}
		added.forEach(this.pendingChanges::add);
	}

	/**
	 * Compares a complete state with the mirror, and updates the mirror in one step. Then
	 * queues the deletions, and after them the other changes in list order (D-62).
	 */
	private void update(Delta.Replacement<T> replacement, boolean first) {
		List<Change<T>> predecessors = new ArrayList<>();
		List<Change<T>> others = new ArrayList<>();
		// E-14: after a restore from a backup, the server uses versions a second time
		boolean wentBack = replacement.byContent()
				|| ResourceVersions.isGreater(this.indexer.resourceVersion(), replacement.resourceVersion());
		int held = 0;
		int added = 0;
		int updated = 0;
		Map<ResourceKey, T> changed = new LinkedHashMap<>();
		for (Map.Entry<ResourceKey, T> item : replacement.objects().entrySet()) {
			ResourceKey key = item.getKey();
			T object = item.getValue();
			T previous = this.indexer.get(key);
			if (previous == null) {
				boolean completed = this.unknown.isCompleted(key, object);
				predecessor(key, object, listed()).ifPresent(predecessors::add);
				changed.put(key, object);
				if (!completed) {
					added++;
					others.add(added(key, object, first, listed()));
				}
				continue;
			}
			held++;
			this.announced.remove(key, object);
			if (recreated(previous, object)) {
				changed.put(key, object);
				added++;
				predecessors.add(deleted(key, previous, previous, true, listed()));
				others.add(added(key, object, false, listed()));
			}
			else if (!unchanged(previous, object) || (wentBack && !this.sameContent.test(previous, object))) {
				changed.put(key, object);
				updated++;
				others.add(updated(key, previous, object, listed()));
			}
			else if (this.redeliversUnchanged) {
				changed.put(key, object);
				others.add(updated(key, previous, object, Change.Cause.RESYNC));
			}
		}
		boolean complete = held == this.indexer.size() && this.announced.isEmpty() && this.unknown.isEmpty();
		List<Change<T>> gone = complete ? List.of() : gone(replacement);
		gone.forEach((change) -> this.announced.remove(change.key()));
		this.indexer.replace(changed, gone.stream().map(Change::key).toList(), replacement.resourceVersion());
		this.counters.deleted.add(gone.size() + predecessors.size());
		this.counters.added.add(added);
		this.counters.updated.add(updated);
		gone.forEach(this.pendingChanges::add);
		predecessors.forEach(this.pendingChanges::add);
		others.forEach(this.pendingChanges::add);
	}

	/**
	 * Returns the deletions of objects that are missing from a complete state: objects of
	 * the mirror, announced objects, and objects of unknown content.
	 */
	private List<Change<T>> gone(Delta.Replacement<T> replacement) {
		List<Change<T>> gone = new ArrayList<>();
		KnownObjects<T> known = this.announced.with(this.indexer);
		known.forEach((key, object) -> {
			if (replacement.lacks(key) && !known.isNewerThan(replacement.mayLackObjectsAfter(), key)) {
				gone.add(deleted(key, object, object, true, listed()));
			}
		});
		gone.addAll(this.unknown.gone(replacement, listed()));
		return gone;
	}

	/** Delivers the objects of the mirror again (D-63). */
	private void resync(Delta.SyncAll<T> all) {
		if (!all.begins().getAsBoolean()) {
			return;
		}
		this.indexer.forEach((key, object) -> {
			if (all.namespace() == null || all.namespace().equals(key.namespace())) {
				this.pendingChanges.add(updated(key, object, object, Change.Cause.RESYNC));
			}
		});
	}

	/**
	 * Whether an object has replaced another object of the same name, whose deletion was
	 * missed (E-24).
	 */
	private boolean recreated(T previous, T object) {
		if (!this.detectsRecreation || previous == object) {
			return false;
		}
		String uid = this.accessor.uid(object);
		String previousUid = this.accessor.uid(previous);
		return !uid.isEmpty() && !previousUid.isEmpty() && !uid.equals(previousUid);
	}

	private boolean unchanged(T previous, T object) {
		String version = this.accessor.resourceVersion(object);
		return !version.isEmpty() && (previous == object
				|| (version.equals(this.accessor.resourceVersion(previous)) && this.source.isSame(previous, object)));
	}

	private Change<T> added(ResourceKey key, T object, boolean initialList, Change.Cause cause) {
		return change(Change.Type.ADDED, key, object, null, initialList, false, cause);
	}

	private Change<T> updated(ResourceKey key, T previous, T object, Change.Cause cause) {
		return change(Change.Type.UPDATED, key, object, previous, false, false, cause);
	}

	private Change<T> deleted(ResourceKey key, T previous, T object, boolean finalStateUnknown, Change.Cause cause) {
		return change(Change.Type.DELETED, key, object, previous, false, finalStateUnknown, cause);
	}

	private Change<T> change(Change.Type type, ResourceKey key, T object, @Nullable T previous, boolean initialList,
			boolean finalStateUnknown, Change.Cause cause) {
		return new Change<>(type, key, object, previous, this.accessor.resourceVersion(object), initialList,
				finalStateUnknown, cause);
	}

}
