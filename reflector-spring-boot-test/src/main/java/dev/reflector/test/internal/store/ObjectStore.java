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
 * The data of the server: all collections, with one lock and one counter of versions.
 * Methods wait for nothing except this lock.
 */
public final class ObjectStore {

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<ServedType, StoredCollection> collections = new LinkedHashMap<>();

	/**
	 * The served types. The collection of a removed type is kept, but new writes and
	 * watches of the type fail.
	 */
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
	 * Returns a served type.
	 * @param name plural of the type, with or without the group
	 * @return the type
	 * @throws IllegalArgumentException if there is no type of that name
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
	 * Returns a served type.
	 * @param apiVersion API version of the type
	 * @param plural plural of the type
	 * @return the type
	 * @throws IllegalArgumentException if there is no such type
	 */
	public ServedType type(String apiVersion, String plural) {
		return types().stream()
			.filter((served) -> served.is(apiVersion, plural))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"No type '" + plural + "' of '" + apiVersion + "' is registered"));
	}

	/**
	 * Adds a type, without objects and without history.
	 * @param type the type
	 * @throws IllegalArgumentException if the type is served already
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
	 * Removes a type. Its objects are deleted, and its watches end.
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
	 * Sets the served types. A type that is served already keeps its objects.
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
	 * Returns the state of a collection at an earlier version or the current version.
	 * @param type the type
	 * @param resourceVersion the version
	 * @return the state, or {@code null} if the history no longer has it
	 */
	public @Nullable CollectionState at(ServedType type, long resourceVersion) {
		return this.<@Nullable CollectionState>locked(() -> collection(type).at(resourceVersion));
	}

	/**
	 * Changes one object. If the new content equals the old content, nothing changes.
	 * @param type the type
	 * @param key the key
	 * @param write makes the new content from the old content. Both may be {@code null},
	 * which means that there is no object
	 * @return the object before and after the write
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
			// this happens under the lock, so that watches are notified in the order of
			// the writes
			this.watches.forEach((watcher) -> watcher.wake(type));
			return new Written(before, after);
		});
	}

	/**
	 * Forgets all history. The version of the store increases by one, as with a write, so
	 * every version before this call is too old.
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
	 * Replaces all objects by those of a backup. The history is empty afterwards.
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
	 * Returns the objects that an object owns, by type.
	 * @param uid the UID of the owner
	 * @return the objects that name it as an owner, in all types and namespaces
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
	 * Whether there is an object with both the given UID and the given key. Objects of
	 * all types are searched.
	 * @param uid the UID
	 * @param key the key
	 * @return whether the object exists
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
	 * @return the newest state
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
	 * @throws ApiFailure if the version is too old
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
	 * Deletes every object, even with finalizers.
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
	 * Returns the next changes for a watch.
	 * @param watcher the watcher
	 * @param resourceVersion the version up to which the watch has sent everything
	 * @param limit largest number of changes
	 * @return the changes, or {@code null} if the history no longer has some of them
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
	 * Whether the history no longer has changes that a watch must still send.
	 * @param watcher the watcher
	 * @param resourceVersion the version up to which the watch has sent everything
	 * @return whether the watch has missed changes
	 */
	public boolean hasForgotten(CollectionWatcher watcher, long resourceVersion) {
		return locked(() -> watcher.collection().since(resourceVersion, 0) == null);
	}

	/**
	 * Fails if a type is not served. The type may have been removed after the request
	 * arrived.
	 */
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
	 * Makes the new content of an object from the old content.
	 */
	public interface Write {

		@Nullable ObjectNode apply(@Nullable ObjectNode before);

	}

	/**
	 * The result of a write.
	 *
	 * @param before the object before the write, or {@code null} if it did not exist
	 * @param after the object after the write, or {@code null} if it no longer exists
	 */
	public record Written(@Nullable ObjectRevision before, @Nullable ObjectRevision after) {

	}

	/**
	 * The next changes for a watch.
	 *
	 * @param changes the changes in their order
	 * @param upTo version up to which the changes are complete
	 * @param newest current version of the store
	 */
	public record News(List<CollectionChange> changes, long upTo, long newest) {

	}

}
