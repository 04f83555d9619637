package dev.reflector.test.internal.store;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;

import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.ServedType;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The data of the server: all collections under one lock and one counter of versions.
 * Nothing in here waits for anything but that lock.
 */
public final class ObjectStore {

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<ServedType, StoredCollection> collections = new LinkedHashMap<>();

	/** What is served; of what was served before, only the end is left to send. */
	private final Set<ServedType> types = new LinkedHashSet<>();

	private final int historyWindow;

	private final Set<CollectionWatcher> watches = new CopyOnWriteArraySet<>();

	private long resourceVersion = 1;

	public ObjectStore(List<ServedType> types, int historyWindow) {
		this.historyWindow = historyWindow;
		types.forEach(this::add);
	}

	private void add(ServedType type) {
		this.types.add(type);
		this.collections.put(type, new StoredCollection(this.historyWindow));
	}

	public List<ServedType> types() {
		return locked(() -> List.copyOf(this.types));
	}

	/**
	 * A type that is served.
	 * @param name its plural, with the group or without
	 * @return the type
	 * @throws IllegalArgumentException when there is none of that name
	 */
	public ServedType type(String name) {
		List<ServedType> types = types();
		return types.stream()
			.filter((type) -> type.plural().equals(name) || type.qualifiedPlural().equals(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("No type '" + name + "' is registered, only "
					+ types.stream().map(ServedType::qualifiedPlural).toList()));
	}

	/**
	 * A type that is served.
	 * @param apiVersion its API version
	 * @param plural its plural
	 * @return the type
	 * @throws IllegalArgumentException when there is none such
	 */
	public ServedType type(String apiVersion, String plural) {
		return types().stream()
			.filter((served) -> served.is(apiVersion, plural))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"No type '" + plural + "' of '" + apiVersion + "' is registered"));
	}

	/**
	 * Serves another type, without objects and without a past.
	 * @param type the type
	 * @throws IllegalArgumentException when it is served already
	 */
	public void addType(ServedType type) {
		locked(() -> {
			if (this.types.stream().anyMatch((served) -> served.is(type.apiVersion(), type.plural()))) {
				throw type.registeredAlready();
			}
			add(type);
			collection(type).compact(++this.resourceVersion);
			return this.resourceVersion;
		});
	}

	/**
	 * Serves a type no longer: its objects are deleted, and its watches end.
	 * @param type the type
	 */
	public void removeType(ServedType type) {
		locked(() -> {
			deleteAll(type);
			this.types.remove(type);
			closeWatches((watcher) -> watcher.type().equals(type));
			return this.resourceVersion;
		});
	}

	/**
	 * Serves these types and no others. What is served already keeps its objects.
	 * @param types the types
	 */
	public void setTypes(List<ServedType> types) {
		locked(() -> {
			types().stream().filter((type) -> !types.contains(type)).forEach(this::removeType);
			types.stream().filter((type) -> !this.types.contains(type)).forEach(this::addType);
			return this.resourceVersion;
		});
	}

	public long resourceVersion() {
		return locked(() -> this.resourceVersion);
	}

	public @Nullable ObjectRevision find(ServedType type, String key) {
		return this.<@Nullable ObjectRevision>locked(() -> collection(type).get(key));
	}

	public CollectionState current(ServedType type) {
		return locked(() -> collection(type).current(this.resourceVersion));
	}

	/**
	 * The state of a collection at a version that has been reached.
	 * @param type the type
	 * @param resourceVersion the version
	 * @return the state, {@code null} when it is forgotten
	 */
	public @Nullable CollectionState at(ServedType type, long resourceVersion) {
		return this.<@Nullable CollectionState>locked(() -> collection(type).at(resourceVersion));
	}

	/**
	 * Changes one object. A result equal to what is there changes nothing.
	 * @param type the type
	 * @param key the key
	 * @param write makes the new content out of the old one; either is {@code null} when
	 * the object does not exist
	 * @return the object as it was and as it is now
	 */
	public Written write(ServedType type, String key, Write write) {
		return locked(() -> {
			requireServed(type);
			StoredCollection collection = collection(type);
			ObjectRevision before = collection.get(key);
			ObjectNode content = write.apply((before != null) ? before.tree() : null);
			if ((before != null) ? before.tree().equals(content) : content == null) {
				return new Written(before, before);
			}
			long version = ++this.resourceVersion;
			ObjectRevision after = (content != null) ? ObjectRevision.render(type, content, version) : null;
			collection.write(key, new CollectionChange(version, before, after));
			// under the lock, so that watches are woken in the order of the writes
			this.watches.forEach((watcher) -> watcher.wake(type));
			return new Written(before, after);
		});
	}

	/**
	 * Forgets all history. The counter moves on by one, as if something else had been
	 * written: every version given out before is now too old.
	 */
	public void compact() {
		locked(() -> {
			long version = ++this.resourceVersion;
			this.collections.values().forEach((collection) -> collection.compact(version));
			return version;
		});
	}

	public StoreContents backup() {
		return locked(() -> {
			Map<ServedType, List<ObjectRevision>> objects = new LinkedHashMap<>();
			this.types.forEach((type) -> objects.put(type, collection(type).current(this.resourceVersion).objects()));
			return new StoreContents(objects, this.resourceVersion);
		});
	}

	/**
	 * Goes back to a backup, without any history.
	 * @param backup the backup
	 */
	public void restore(StoreContents backup) {
		locked(() -> {
			if (!backup.objects().keySet().equals(this.types)) {
				throw new IllegalArgumentException("The backup is one of a server with other types");
			}
			this.resourceVersion = backup.resourceVersion();
			backup.objects().forEach((type, objects) -> collection(type).restore(objects, this.resourceVersion));
			closeWatches();
			return this.resourceVersion;
		});
	}

	/**
	 * What an object owns, by type.
	 * @param uid the UID of the object
	 * @return the objects that name it as an owner, wherever they are
	 */
	public Map<ServedType, List<ObjectRevision>> ownedBy(String uid) {
		return locked(() -> {
			Map<ServedType, List<ObjectRevision>> owned = new LinkedHashMap<>();
			this.types.forEach((type) -> {
				List<ObjectRevision> objects = collection(type).ownedBy(uid);
				if (!objects.isEmpty()) {
					owned.put(type, objects);
				}
			});
			return owned;
		});
	}

	/**
	 * Whether there is an object of a UID.
	 * @param uid the UID
	 * @param key its key, in whatever type
	 * @return whether it exists
	 */
	public boolean exists(String uid, String key) {
		return locked(() -> this.types.stream().anyMatch((type) -> {
			ObjectRevision object = collection(type).get(key);
			return object != null && object.uid().equals(uid);
		}));
	}

	/**
	 * Adds a watch that begins with the newest state.
	 * @param watcher the watcher
	 * @return the state
	 */
	public CollectionState openAtCurrent(CollectionWatcher watcher) {
		return locked(() -> {
			requireServed(watcher.type());
			StoredCollection collection = collection(watcher.type());
			watcher.tellsOf(collection);
			this.watches.add(watcher);
			return collection.current(this.resourceVersion);
		});
	}

	/**
	 * Adds a watch that begins after a version.
	 * @param watcher the watcher
	 * @param resourceVersion the version
	 * @throws ApiFailure when the version is too old
	 */
	public void openAt(CollectionWatcher watcher, long resourceVersion) {
		locked(() -> {
			requireServed(watcher.type());
			StoredCollection collection = collection(watcher.type());
			long floor = collection.floor();
			if (resourceVersion < floor) {
				throw ApiFailure.expired("too old resource version: " + resourceVersion + " (" + floor + ")");
			}
			watcher.tellsOf(collection);
			return this.watches.add(watcher);
		});
	}

	/**
	 * Deletes every object, whatever its finalizers say.
	 */
	public void deleteAll() {
		types().forEach(this::deleteAll);
	}

	private void deleteAll(ServedType type) {
		current(type).objects().forEach((object) -> write(type, object.key(), (before) -> null));
	}

	public void sendBookmarks() {
		this.watches.forEach(CollectionWatcher::sendBookmark);
	}

	public void remove(CollectionWatcher watcher) {
		this.watches.remove(watcher);
	}

	public int activeWatches() {
		return this.watches.size();
	}

	public void closeWatches() {
		closeWatches((watcher) -> true);
	}

	private void closeWatches(Predicate<CollectionWatcher> which) {
		locked(() -> {
			for (CollectionWatcher watcher : this.watches) {
				if (which.test(watcher)) {
					this.watches.remove(watcher);
					watcher.finish(this.resourceVersion);
				}
			}
			return this.resourceVersion;
		});
	}

	/**
	 * What a watch has to send next.
	 * @param watcher the watcher
	 * @param resourceVersion up to where it has sent everything
	 * @param limit how many changes at most
	 * @return the changes, {@code null} when some of them are forgotten
	 */
	public @Nullable News since(CollectionWatcher watcher, long resourceVersion, int limit) {
		return this.<@Nullable News>locked(() -> {
			List<CollectionChange> changes = watcher.collection().since(resourceVersion, limit);
			if (changes == null) {
				return null;
			}
			long upTo = (changes.size() < limit) ? this.resourceVersion
					: changes.get(changes.size() - 1).resourceVersion();
			return new News(changes, Math.max(upTo, resourceVersion), this.resourceVersion);
		});
	}

	/**
	 * Whether a watch has missed something.
	 * @param watcher the watcher
	 * @param resourceVersion up to where it has sent everything
	 * @return whether later changes are forgotten
	 */
	public boolean hasForgotten(CollectionWatcher watcher, long resourceVersion) {
		return locked(() -> watcher.collection().since(resourceVersion, 0) == null);
	}

	/** It may have been taken away since the request was made. */
	private void requireServed(ServedType type) {
		if (!this.types.contains(type)) {
			throw ApiFailure.notServed();
		}
	}

	private StoredCollection collection(ServedType type) {
		return Objects.requireNonNull(this.collections.get(type));
	}

	private <T extends @Nullable Object> T locked(Supplier<T> action) {
		this.lock.lock();
		try {
			return action.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Makes the new content of an object out of the old one.
	 */
	public interface Write {

		@Nullable ObjectNode apply(@Nullable ObjectNode before);

	}

	/**
	 * The outcome of a write.
	 *
	 * @param before the object as it was, {@code null} when it did not exist
	 * @param after the object as it is now, {@code null} when it no longer exists
	 */
	public record Written(@Nullable ObjectRevision before, @Nullable ObjectRevision after) {

	}

	/**
	 * What a watch has to send next.
	 *
	 * @param changes the changes in their order
	 * @param upTo version up to which the changes are complete
	 * @param newest version of the store
	 */
	public record News(List<CollectionChange> changes, long upTo, long newest) {

	}

}
