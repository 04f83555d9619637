package dev.reflector.cache.internal.snapshot;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.internal.store.PersistentMapDifferences;
import dev.reflector.cache.internal.store.ResourceVersions;
import dev.reflector.cache.internal.store.UnknownObject;
import dev.reflector.cache.source.ResourceAccessor;

/**
 * What this process knows about the stored state: the committed objects, or only their
 * versions if another process may have written the snapshot. Computes what must be
 * written to store a state of the mirror. A scope is a namespace that is followed
 * separately, or all namespaces together.
 * <p>
 * Changed on the thread of the store. Any thread may read, and may note that the stored
 * state is unknown. No lock is held while the store is used.
 *
 * @param <T> the type of the objects
 */
final class StoredState<T> {

	/**
	 * The objects of the last commit that this process knows of. All handlers have
	 * completed the changes that led to these objects. In the {@link #known} scopes,
	 * exactly these objects are stored.
	 */
	private volatile PersistentMap<ResourceKey, T> objects = PersistentMap.empty();

	/** Whether some stored objects were written with different declared fields. */
	private boolean otherShape;

	/**
	 * The versions of all stored objects when they were last read. Empty once all scopes
	 * are {@link #known}.
	 */
	private Map<ResourceKey, String> versions = Map.of();

	/** The scopes whose stored objects are known, not only their versions. */
	private final Set<String> known = ConcurrentHashMap.newKeySet();

	private final PendingAdditions<T> pendingAdditions;

	/**
	 * Whether the stored state is unknown: a commit has failed, but may still have
	 * reached the store.
	 */
	private volatile boolean doubtful;

	/**
	 * The cursors as they are stored, including those of scopes that are not
	 * {@link #known}.
	 */
	private Map<String, String> cursors = new HashMap<>();

	private int size;

	/** The number of the batch that was begun when the stored versions were last read. */
	private long since;

	private final List<String> namespaces;

	private final ResourceAccessor<T> accessor;

	/**
	 * The stored objects whose content is unknown. {@link #objects} does not contain
	 * them.
	 */
	private final UnknownContents unknown;

	StoredState(List<String> namespaces, ResourceAccessor<T> accessor, UnknownContents unknown) {
		this.unknown = unknown;
		this.namespaces = namespaces;
		this.accessor = accessor;
		this.pendingAdditions = new PendingAdditions<>(accessor);
	}

	/** Notes that exactly these objects are stored. */
	synchronized void restored(PersistentMap<ResourceKey, T> objects, Map<String, String> cursors) {
		this.objects = objects;
		this.otherShape = false;
		this.doubtful = false;
		this.versions = Map.of();
		this.known.addAll(scopes());
		this.cursors = new HashMap<>(cursors);
		this.size = objects.size() + this.unknown.unread().size();
	}

	/**
	 * Notes that only the versions of the stored objects are known. Leaves
	 * {@link #objects} as they are. They may now be older than the stored state, but not
	 * newer.
	 */
	synchronized void unknown(OpenSnapshot.StoredVersions stored) {
		this.versions = stored.versions();
		this.otherShape = !stored.sameShape();
		this.known.clear();
		this.cursors = new HashMap<>(stored.cursors());
		this.size = this.versions.size();
		this.pendingAdditions.doubt();
		this.since = this.pendingAdditions.begin();
		this.doubtful = false;
	}

	/**
	 * Whether a state of the mirror dates from before the stored versions were last read.
	 * While the stored state is unknown, added objects are not announced, and an older
	 * state may lack them. Storing such a state would remove these objects from the
	 * store.
	 * @param mark the mark of the state
	 */
	synchronized boolean isFromBefore(long mark) {
		return mark < this.since;
	}

	/**
	 * Notes that handlers have completed the changes that led to these objects, whether
	 * or not the objects are stored.
	 */
	synchronized void completed(PersistentMap<ResourceKey, T> objects) {
		this.objects = objects;
	}

	/**
	 * Whether all stored objects have the current declared fields after a commit.
	 * @param scope the scope that the commit completes; negative if it completes none
	 */
	synchronized boolean isOneShape(int scope) {
		return !this.otherShape || (scope >= 0 && isKnownBesides(scope));
	}

	private boolean isKnownBesides(int scope) {
		return this.namespaces.stream().allMatch((other) -> other.equals(scope(scope)) || this.known.contains(other));
	}

	/**
	 * Notes that a commit has failed, so that the stored versions must be read before the
	 * next commit.
	 */
	void doubt() {
		this.doubtful = true;
	}

	boolean isDoubtful() {
		return this.doubtful;
	}

	/** Returns the additions that are not yet committed. */
	PendingAdditions<T> pendingAdditions() {
		return this.pendingAdditions;
	}

	/** Whether an object of this name is stored, announced or not. */
	synchronized boolean contains(ResourceKey key) {
		boolean known = this.known.contains(this.namespaces.isEmpty() ? "" : key.namespace());
		return this.pendingAdditions.contains(key) || this.unknown.isUnread(key)
				|| (known ? this.objects.get(key) != null : this.versions.containsKey(key));
	}

	/** Returns the cursors as they are stored. */
	synchronized Map<String, String> cursors() {
		return this.cursors;
	}

	/**
	 * Returns, for each scope, the version up to which listeners may have received
	 * changes. This version is the cursor of the scope, or the newest version of an
	 * object that was announced after the cursor.
	 * @param cursors the cursors as they were stored
	 */
	synchronized Map<String, String> told(Map<String, String> cursors) {
		Map<String, String> told = new HashMap<>(cursors);
		this.pendingAdditions.objects().forEach((key, object) -> {
			String version = this.accessor.resourceVersion(object);
			tell(told, key, version);
		});
		this.unknown.unread().forEach((key, object) -> {
			if (object.announced()) {
				tell(told, key, object.resourceVersion());
			}
		});
		return told;
	}

	private void tell(Map<String, String> told, ResourceKey key, String version) {
		told.merge(this.namespaces.isEmpty() ? "" : key.namespace(), version,
				(before, next) -> ResourceVersions.isGreater(next, before) ? next : before);
	}

	private List<String> scopes() {
		return this.namespaces.isEmpty() ? List.of("") : this.namespaces;
	}

	String scope(int number) {
		return this.namespaces.isEmpty() ? "" : this.namespaces.get(number);
	}

	/** Whether the stored objects of a scope are known, not only their versions. */
	boolean isKnown(int scope) {
		return this.known.contains(scope(scope));
	}

	synchronized boolean isAt(int scope, String version) {
		return isKnown(scope) && version.equals(this.cursors.get(scope(scope)));
	}

	/**
	 * Computes what must be written to store the part of a mirror's state that belongs to
	 * one scope.
	 * @param scope the number of the namespace that is followed separately, 0 if all are
	 * followed together
	 * @param state the state
	 * @return the difference
	 */
	synchronized Difference<T> difference(int scope, CompletedState<T> state) {
		PersistentMap<ResourceKey, T> target = state.objects();
		long mark = state.mark();
		List<Map.Entry<ResourceKey, T>> set = new ArrayList<>();
		Set<ResourceKey> removed = new LinkedHashSet<>(
				this.pendingAdditions.gone(mark, target, (key) -> isOf(scope, key)));
		if (this.known.contains(scope(scope))) {
			PersistentMapDifferences.forEachSet(this.objects, target, (key, object) -> {
				if (isOf(scope, key)) {
					set.add(Map.entry(key, object));
				}
			});
			PersistentMapDifferences.forEachRemoved(this.objects, target, (key, object) -> {
				if (isOf(scope, key)) {
					removed.add(key);
				}
			});
		}
		else {
			target.forEach((key, object) -> {
				if (isOf(scope, key) && (!version(object).equals(this.versions.get(key)) || isOther(key, object))) {
					set.add(Map.entry(key, object));
				}
			});
			this.versions.keySet().forEach((key) -> {
				if (isOf(scope, key) && target.get(key) == null) {
					removed.add(key);
				}
			});
		}
		this.unknown.unread().keySet().forEach((key) -> {
			if (isOf(scope, key) && target.get(key) == null) {
				removed.add(key);
			}
		});
		// a removed object may have been added again, and that addition may have been
		// delivered
		Map<ResourceKey, T> again = this.pendingAdditions.after(mark, target,
				(key) -> isOf(scope, key) && !state.undecided().contains(key));
		removed.removeIf((key) -> this.pendingAdditions.isAfter(key, mark) || state.undecided().contains(key));
		// sorted by key, like the rows of a store, so that a part changes few pages of
		// the store
		set.sort(Map.Entry.comparingByKey());
		return new Difference<>(set, removed.stream().sorted().toList(), again, lost(scope, state));
	}

	/**
	 * Returns the undecided objects that are missing in the store, because the store was
	 * restored from a backup.
	 */
	private Map<ResourceKey, UnknownObject> lost(int scope, CompletedState<T> state) {
		Map<ResourceKey, UnknownObject> lost = this.unknown.lost();
		lost.keySet()
			.removeIf(
					(key) -> !isOf(scope, key) || state.objects().get(key) != null || !state.undecided().contains(key));
		return lost;
	}

	/**
	 * Whether a key belongs to a scope. A key whose namespace is in no scope belongs to
	 * the first scope.
	 */
	private boolean isOf(int scope, ResourceKey key) {
		if (this.namespaces.isEmpty() || this.namespaces.get(scope).equals(key.namespace())) {
			return true;
		}
		return scope == 0 && !this.namespaces.contains(key.namespace());
	}

	/**
	 * Whether an object is a different instance than the known object of its name. Equal
	 * versions are not enough, because a restored server may assign a version twice, to
	 * different contents.
	 */
	private boolean isOther(ResourceKey key, T object) {
		T known = this.objects.get(key);
		return known != null && known != object;
	}

	private String version(T object) {
		return OpenSnapshot.version(this.accessor.uid(object), this.accessor.resourceVersion(object));
	}

	/**
	 * Returns all cursors except that of one scope. Used while the scope is stored in
	 * parts.
	 */
	synchronized Map<String, String> cursorsWithout(int scope) {
		Map<String, String> others = new HashMap<>(this.cursors);
		others.remove(scope(scope));
		return others;
	}

	synchronized Map<String, String> cursorsWith(int scope, String version) {
		Map<String, String> all = new HashMap<>(this.cursors);
		all.put(scope(scope), version);
		return all;
	}

	/** Notes that the part of a state that belongs to one scope was stored. */
	synchronized void written(int scope, CompletedState<T> state, Difference<T> difference) {
		PersistentMap<ResourceKey, T> target = state.objects();
		this.cursors = cursorsWith(scope, state.version());
		this.size += added(scope, difference) - removed(scope, difference);
		this.size += difference.lost().size();
		this.unknown.lost().keySet().stream().filter((key) -> isOf(scope, key)).forEach(this.unknown::replaced);
		difference.lost().forEach(this.unknown::keep);
		difference.keys().forEach(this.unknown::replaced);
		state.undecided().forEach((key) -> keep(scope, key));
		if (this.namespaces.size() < 2) {
			this.objects = target;
		}
		else if (this.known.contains(scope(scope))) {
			difference.set().forEach((entry) -> this.objects = this.objects.with(entry.getKey(), entry.getValue()));
			difference.removed().forEach((key) -> this.objects = this.objects.without(key));
		}
		else {
			replace(scope, target);
		}
		this.otherShape = this.otherShape && !isKnownBesides(scope);
		this.known.add(scope(scope));
		if (this.known.containsAll(scopes())) {
			this.versions = Map.of();
		}
		this.pendingAdditions.committed(state.mark(), target, (key) -> isOf(scope, key));
	}

	/**
	 * Keeps the uid and version of an object that must stay stored: the server still has
	 * the object, in an unreadable form. Its content is not kept in memory.
	 */
	private void keep(int scope, ResourceKey key) {
		T known = this.objects.get(key);
		T object = (known != null) ? known : this.pendingAdditions.objects().get(key);
		if (object != null && isOf(scope, key) && !this.unknown.isUnread(key)) {
			this.unknown.keep(key,
					new UnknownObject(this.accessor.uid(object), this.accessor.resourceVersion(object), known == null));
		}
	}

	/**
	 * Replaces the objects of a scope in {@link #objects}. Used if only the versions of
	 * the stored objects were known, because {@link #objects} may then be older than the
	 * stored state.
	 */
	private void replace(int scope, PersistentMap<ResourceKey, T> target) {
		List<ResourceKey> gone = new ArrayList<>();
		this.objects.forEach((key, object) -> {
			if (isOf(scope, key) && target.get(key) == null) {
				gone.add(key);
			}
		});
		gone.forEach((key) -> this.objects = this.objects.without(key));
		target.forEach((key, object) -> {
			if (isOf(scope, key)) {
				this.objects = this.objects.with(key, object);
			}
		});
	}

	private int removed(int scope, Difference<T> difference) {
		return (int) Stream.concat(difference.removed().stream(), difference.again().keySet().stream())
			.filter((key) -> isCounted(scope, key))
			.count();
	}

	private boolean isCounted(int scope, ResourceKey key) {
		return this.known.contains(scope(scope)) ? this.objects.get(key) != null || this.unknown.isUnread(key)
				: this.versions.containsKey(key);
	}

	private int added(int scope, Difference<T> difference) {
		return (int) difference.set().stream().map(Map.Entry::getKey).filter((key) -> !isCounted(scope, key)).count();
	}

	/** Returns how many objects are stored. */
	synchronized int size() {
		return this.size;
	}

	PersistentMap<ResourceKey, T> objects() {
		return this.objects;
	}

	/**
	 * The changes to write.
	 *
	 * @param set the objects that are new or have changed
	 * @param removed the keys of objects to remove
	 * @param again the objects to store as announced: each was added after the state, and
	 * replaces a removed object with the same name
	 * @param lost the objects of unknown content that are no longer stored, and must be
	 * stored again
	 */
	record Difference<T>(List<Map.Entry<ResourceKey, T>> set, List<ResourceKey> removed, Map<ResourceKey, T> again,
			Map<ResourceKey, UnknownObject> lost) {

		/** Returns all keys whose stored object is replaced or removed. */
		Stream<ResourceKey> keys() {
			return Stream
				.of(this.set.stream().map(Map.Entry::getKey), this.removed.stream(), this.again.keySet().stream())
				.flatMap((keys) -> keys);
		}

	}

}
