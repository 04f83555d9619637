package dev.reflector.test.internal.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * The objects of one type and their recent history. Guarded by the lock of the
 * {@link ObjectStore}.
 */
public final class StoredCollection {

	private final NavigableMap<String, ObjectRevision> objects = new TreeMap<>();

	private final NavigableMap<Long, CollectionChange> history = new TreeMap<>();

	/** The keys of owned objects, by the UID of their owner. */
	private final Map<String, Set<String>> owned = new HashMap<>();

	private final int historyWindow;

	/** The version of the newest change that was removed from the history. */
	private long forgotten;

	/** The oldest version at which the state may be requested. */
	private long floor;

	private long lastWrite;

	private @Nullable List<ObjectRevision> sorted;

	StoredCollection(int historyWindow) {
		this.historyWindow = historyWindow;
	}

	@Nullable ObjectRevision get(String key) {
		return this.objects.get(key);
	}

	void write(String key, CollectionChange change) {
		ObjectRevision after = change.after();
		ObjectRevision replaced = (after != null) ? this.objects.put(key, after) : this.objects.remove(key);
		if (replaced != null) {
			replaced.owners().forEach((owner) -> disown(owner, key));
		}
		if (after != null) {
			after.owners().forEach((owner) -> own(owner, key));
		}
		this.sorted = null;
		this.lastWrite = change.resourceVersion();
		this.history.put(this.lastWrite, change);
		while (this.history.size() > this.historyWindow) {
			this.forgotten = this.history.pollFirstEntry().getKey();
		}
		this.floor = Math.max(this.floor, this.forgotten);
	}

	private void own(String owner, String key) {
		this.owned.computeIfAbsent(owner, (uid) -> new TreeSet<>()).add(key);
	}

	private void disown(String owner, String key) {
		this.owned.computeIfPresent(owner, (uid, keys) -> {
			keys.remove(key);
			return keys.isEmpty() ? null : keys;
		});
	}

	List<ObjectRevision> ownedBy(String owner) {
		return this.owned.getOrDefault(owner, Set.of())
			.stream()
			.map((key) -> Objects.requireNonNull(this.objects.get(key)))
			.toList();
	}

	/**
	 * From now on, refuses requests for states before a version. Open watches are not
	 * affected.
	 * @param resourceVersion the version
	 */
	void compact(long resourceVersion) {
		this.floor = resourceVersion;
	}

	/**
	 * Replaces all objects, and starts a new history.
	 * @param objects the objects
	 * @param resourceVersion the version from which the new history begins
	 */
	void restore(List<ObjectRevision> objects, long resourceVersion) {
		this.objects.clear();
		this.owned.clear();
		objects.forEach((object) -> {
			this.objects.put(object.key(), object);
			object.owners().forEach((owner) -> own(owner, object.key()));
		});
		this.sorted = null;
		this.history.clear();
		this.forgotten = resourceVersion;
		this.floor = resourceVersion;
		this.lastWrite = resourceVersion;
	}

	long floor() {
		return this.floor;
	}

	CollectionState current(long resourceVersion) {
		List<ObjectRevision> sorted = this.sorted;
		if (sorted == null) {
			sorted = List.copyOf(this.objects.values());
			this.sorted = sorted;
		}
		return new CollectionState(resourceVersion, sorted);
	}

	/**
	 * Returns the state at a version. It is made from the current state, by undoing the
	 * writes after that version.
	 * @param resourceVersion the version
	 * @return the state, or {@code null} if the history does not reach back that far
	 */
	@Nullable CollectionState at(long resourceVersion) {
		if (resourceVersion < this.floor) {
			return null;
		}
		if (resourceVersion >= this.lastWrite) {
			return current(resourceVersion);
		}
		NavigableMap<String, ObjectRevision> past = new TreeMap<>(this.objects);
		for (CollectionChange change : this.history.tailMap(resourceVersion, false).descendingMap().values()) {
			ObjectRevision before = change.before();
			ObjectRevision after = change.after();
			if (before != null) {
				past.put(before.key(), before);
			}
			else if (after != null) {
				past.remove(after.key());
			}
		}
		return CollectionState.of(resourceVersion, past.values());
	}

	/**
	 * Returns the writes after a version.
	 * @param resourceVersion the version
	 * @param limit largest number of changes
	 * @return the changes in their order, or {@code null} if the history no longer has
	 * some of them
	 */
	@Nullable List<CollectionChange> since(long resourceVersion, int limit) {
		if (resourceVersion < this.forgotten) {
			return null;
		}
		List<CollectionChange> changes = new ArrayList<>();
		for (Map.Entry<Long, CollectionChange> entry : this.history.tailMap(resourceVersion, false).entrySet()) {
			if (changes.size() == limit) {
				break;
			}
			changes.add(entry.getValue());
		}
		return changes;
	}

}
