package dev.reflector.cache.internal.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.reflector.Lister;
import dev.reflector.ResourceKey;
import dev.reflector.cache.config.IndexFunction;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The mirror: objects by key, with indexes (client-go: {@code ThreadSafeStore}).
 * <p>
 * <b>Promises.</b> Lookups take no lock and never wait. Each call sees the mirror as it
 * was before a write or after it, never a mixture of objects, indexes and version, and
 * never half of a list (S-13). Two calls may see different states. A returned collection
 * no longer changes; its objects are the instances of the mirror.
 * <p>
 * <b>Data.</b> A {@link MirrorState} holds objects, indexes and version, all immutable,
 * and one volatile field points to the newest state. Objects and indexes are
 * {@link PersistentMap}s, which are hash tries. A changed version of such a map shares
 * all nodes with the previous version, except the nodes on the path to the change. A
 * write copies only a few small arrays, so keeping an old version is cheap: new handlers,
 * comparisons with the server and the durable snapshot read from old versions. In return,
 * a write costs more than in a hash map. An index maps a value to keys, not to objects.
 * So if an object changes but its index values stay the same, the index stays the same,
 * too. A reader of an index looks up each object in the {@link MirrorState} that contains
 * the index. An empty mirror is filled from the leaves upwards
 * ({@link PersistentMapBuilder}).
 * <p>
 * <b>Threads.</b> One thread writes at a time, under the write lock of {@code Handlers}.
 * This thread is {@code reflector-NAME-store}, a thread that delivers a few changes, or a
 * thread that adds indexes or empties the mirror when its durable snapshot is reset. A
 * write prepares the next state in a {@link MirrorEdit}, which no other thread sees, and
 * publishes the state by one volatile write. Index functions run on the writing thread,
 * and on the reader's thread in {@link #byIndexOf}. {@link MirrorProgress} stores the
 * versions that the mirror has reached, and wakes callers that wait for one. It is
 * updated after the write. So a thread that sees a version as reached also sees the
 * objects of that version.
 * <p>
 * <b>Recovery.</b> A write that fails halfway publishes nothing. If an index function
 * throws, the failure is logged and counted, and the object has no value in that index
 * (E-12).
 * <p>
 * <b>client-go.</b> Its store is a map under a read/write lock, and an index function
 * that fails ends the process. A write has the same effect on objects, indexes and
 * version here as in client-go (S-10 to S-35). But here {@link #indexValues} throws if
 * the index is unknown. The writer passes only the differences of a new list to
 * {@link #replace}, so unchanged objects keep their instances.
 *
 * @param <T> the type of the objects
 */
public final class Indexer<T> implements Lister<T>, KnownObjects<T> {

	/**
	 * The index functions by name. The writing thread replaces the whole map before it
	 * publishes the state with the new index.
	 */
	private volatile Map<String, IndexFunction<T>> indexers = Map.of();

	private final ResourceAccessor<T> accessor;

	private final Runnable onIndexError;

	private final MirrorProgress progress;

	private volatile MirrorState<T> state;

	private final UnknownObjects unknown = new UnknownObjects();

	/**
	 * Creates an empty mirror that has only the index by namespace.
	 * @param accessor reads keys and versions
	 * @param onIndexError called each time an index function fails
	 * @param namespaces the namespaces that are followed separately, empty if all are
	 * followed together
	 */
	public Indexer(ResourceAccessor<T> accessor, Runnable onIndexError, List<String> namespaces) {
		this.progress = new MirrorProgress(namespaces);
		this.accessor = accessor;
		this.onIndexError = onIndexError;
		this.state = new MirrorState<>(PersistentMap.empty(), PersistentMap.empty(), "");
		addIndexers(Map.of(NAMESPACE_INDEX, this::namespaceOf));
	}

	private Collection<String> namespaceOf(T object) {
		String namespace = this.accessor.key(object).namespace();
		return namespace.isEmpty() ? Set.of() : Set.of(namespace);
	}

	@Override
	public @Nullable T get(ResourceKey key) {
		return this.state.objects().get(key);
	}

	/**
	 * Returns the objects of the durable snapshot that cannot be read, and that the
	 * server may still have.
	 */
	public UnknownObjects unknown() {
		return this.unknown;
	}

	@Override
	public boolean contains(ResourceKey key) {
		return get(key) != null || this.unknown.contains(key);
	}

	@Override
	public void forEachUnknown(String resourceVersion, Consumer<ResourceKey> action) {
		this.unknown.forEach((key, object) -> {
			if (!object.isNewerThan(resourceVersion)) {
				action.accept(key);
			}
		});
	}

	@Override
	public List<T> list() {
		return this.state.objects().values();
	}

	@Override
	public List<T> list(String namespace) {
		return namespace.isEmpty() ? list() : byIndex(NAMESPACE_INDEX, namespace);
	}

	@Override
	public Stream<T> stream() {
		return this.state.objects().stream();
	}

	@Override
	public List<T> byIndex(String index, String value) {
		MirrorState<T> state = this.state;
		PersistentMap<ResourceKey, ResourceKey> keys = state.index(index).get(value);
		if (keys == null) {
			return List.of();
		}
		List<T> objects = new ArrayList<>(keys.size());
		keys.forEach((key, same) -> state.ifPresent(key, objects::add));
		return Collections.unmodifiableList(objects);
	}

	@Override
	public List<T> byIndexOf(String index, T object) {
		MirrorState<T> state = this.state;
		PersistentMap<String, PersistentMap<ResourceKey, ResourceKey>> values = state.index(index);
		Map<ResourceKey, T> found = new LinkedHashMap<>();
		for (String value : Objects.requireNonNull(this.indexers.get(index)).values(object)) {
			PersistentMap<ResourceKey, ResourceKey> keys = values.get(value);
			if (keys != null) {
				keys.forEach((key, same) -> state.ifPresent(key, (present) -> found.put(key, present)));
			}
		}
		return List.copyOf(found.values());
	}

	@Override
	public Set<String> indexValues(String index) {
		Set<String> values = new TreeSet<>();
		this.state.index(index).forEach((value, keys) -> values.add(value));
		return Collections.unmodifiableSet(values);
	}

	@Override
	public int size() {
		return this.state.objects().size();
	}

	@Override
	public boolean hasReached(String namespace, String resourceVersion) {
		return this.progress.hasReached(namespace, resourceVersion);
	}

	@Override
	public boolean awaitResourceVersion(String namespace, String resourceVersion, Duration timeout)
			throws InterruptedException {
		CountDownLatch reached = new CountDownLatch(1);
		Runnable waiting = this.progress.await(namespace, resourceVersion, reached::countDown);
		try {
			return reached.await(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
		}
		finally {
			waiting.run();
		}
	}

	@Override
	public Mono<Void> reached(String namespace, String resourceVersion) {
		// throws at once when the version is empty or the namespace is not mirrored
		hasReached(namespace, resourceVersion);
		// subscribers' code must not run on the thread that writes the mirror
		return Mono
			.<Void>create((sink) -> sink.onDispose(this.progress.await(namespace, resourceVersion, sink::success)::run))
			.publishOn(Schedulers.parallel());
	}

	/** Records the versions up to which the content of the mirror is complete. */
	public void reached(Map<String, Deque<String>> versions) {
		this.progress.advance(versions);
	}

	/**
	 * Returns the version up to which the content of the mirror is complete.
	 * @param namespace a namespace that is followed separately, empty for all
	 * @return the version, empty at first
	 */
	public String reachedVersion(String namespace) {
		return this.progress.reached(namespace);
	}

	/**
	 * Whether the content of the mirror is not yet complete up to a version.
	 * @param key the key of an object with this version
	 * @param version the version
	 */
	public boolean isBehind(ResourceKey key, String version) {
		return ResourceVersions.isGreater(version, this.progress.reachedAt(key.namespace()));
	}

	/** Returns the number of callers that wait for a version. */
	public int waiting() {
		return this.progress.waiting();
	}

	/** Returns all objects of the current state. */
	public InitialObjects<T> initial() {
		return InitialObjects.all(this.state.objects());
	}

	/**
	 * Returns the version of the content: the version of the last write, list or bookmark
	 * (rules S-20 to S-23).
	 * @return the version, empty before the first write
	 */
	public String resourceVersion() {
		return this.state.resourceVersion();
	}

	public PersistentMap<ResourceKey, T> objects() {
		return this.state.objects();
	}

	@Override
	public void forEach(BiConsumer<ResourceKey, T> action) {
		this.state.objects().forEach(action);
	}

	private MirrorEdit<T> edit() {
		return new MirrorEdit<>(this.state, this.indexers, this.onIndexError);
	}

	/**
	 * Stores an object under a key, and replaces the object that has this key, if there
	 * is one (rule S-10).
	 * @param key the key
	 * @param object the object
	 */
	public void put(ResourceKey key, T object) {
		MirrorEdit<T> edit = edit();
		edit.put(key, object);
		this.state = edit.finishUnlessEmpty(this.accessor.resourceVersion(object));
	}

	/**
	 * Removes an object. Does nothing if there is no object with this key.
	 * @param key the key
	 * @param resourceVersion the version of the deletion, empty when it is not known
	 * (rule S-21)
	 */
	public void delete(ResourceKey key, String resourceVersion) {
		MirrorEdit<T> edit = edit();
		edit.delete(key);
		this.state = edit.finishUnlessEmpty(resourceVersion);
	}

	/**
	 * Fills the empty mirror with objects. The version of the content is not known
	 * afterwards.
	 * @param objects the objects
	 */
	public void fill(PersistentMap<ResourceKey, T> objects) {
		MirrorEdit<T> edit = edit();
		edit.fill(objects);
		this.state = edit.finish("");
	}

	/**
	 * Applies the differences of a new complete state in one step.
	 * @param changed the new and the changed objects
	 * @param deleted the keys of objects that no longer exist
	 * @param resourceVersion the version of the complete state, even if it is older or
	 * empty (rule S-22)
	 */
	public void replace(Map<ResourceKey, T> changed, Collection<ResourceKey> deleted, String resourceVersion) {
		MirrorEdit<T> edit = edit();
		if (edit.isEmpty()) {
			edit.fill(PersistentMapBuilder.of(changed));
		}
		else {
			deleted.forEach(edit::delete);
			changed.forEach(edit::put);
		}
		this.state = edit.finish(resourceVersion);
	}

	/**
	 * Sets the version of the content. The content itself does not change (rule S-23).
	 * @param resourceVersion the version
	 */
	public void bookmark(String resourceVersion) {
		this.state = edit().finish(resourceVersion);
	}

	/**
	 * Whether a write calls index functions other than the one by namespace. Such
	 * functions may take any time.
	 * @return {@code true} if there are such functions
	 */
	public boolean hasIndexFunctions() {
		return this.indexers.size() > 1;
	}

	/**
	 * Adds indexes, and adds the stored objects to them in the same step (rule S-34).
	 * This is a write, so it must not be called while another write is in progress.
	 * @param indexers the index functions by name
	 * @throws IllegalArgumentException if an index already has one of the names; then no
	 * index is added
	 */
	public void addIndexers(Map<String, IndexFunction<T>> indexers) {
		Map<String, IndexFunction<T>> all = new LinkedHashMap<>(this.indexers);
		indexers.forEach((name, function) -> {
			if (all.putIfAbsent(name, function) != null) {
				throw new IllegalArgumentException("indexer conflict: there is an index '" + name + "' already");
			}
		});
		MirrorEdit<T> edit = edit();
		indexers.forEach(edit::index);
		this.indexers = all;
		this.state = edit.finishUnlessEmpty("");
	}

}
