package dev.reflector.cache.internal.store;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

import dev.reflector.Lister;
import dev.reflector.ResourceKey;
import dev.reflector.cache.config.IndexFunction;
import dev.reflector.cache.source.JvmFailureException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prepares the next state of the mirror. Used by the thread that writes the mirror.
 *
 * @param <T> the type of the objects
 */
final class MirrorEdit<T> {

	private static final Logger logger = LoggerFactory.getLogger(Indexer.class);

	private final Map<String, IndexFunction<T>> indexers;

	private final Runnable onIndexError;

	private final String resourceVersion;

	private PersistentMap<ResourceKey, T> objects;

	private PersistentMap<String, PersistentMap<String, PersistentMap<ResourceKey, ResourceKey>>> indices;

	/**
	 * Creates an edit of a state.
	 * @param base the state to edit
	 * @param indexers the index functions by name
	 * @param onIndexError called each time an index function fails
	 */
	MirrorEdit(MirrorState<T> base, Map<String, IndexFunction<T>> indexers, Runnable onIndexError) {
		this.indexers = indexers;
		this.onIndexError = onIndexError;
		this.objects = base.objects();
		this.indices = base.indices();
		this.resourceVersion = base.resourceVersion();
	}

	boolean isEmpty() {
		return this.objects.size() == 0;
	}

	/** Replaces all objects, and builds the indexes from them. */
	void fill(PersistentMap<ResourceKey, T> objects) {
		this.objects = objects;
		this.indexers.forEach(this::index);
	}

	void index(String name, IndexFunction<T> function) {
		FiledKeys keys = new FiledKeys();
		this.objects.forEach((key, object) -> {
			for (String value : values(name, function, key, object)) {
				keys.file(value, key);
			}
		});
		index(name, keys.build());
	}

	void put(ResourceKey key, T object) {
		T previous = this.objects.get(key);
		this.objects = this.objects.with(key, object);
		this.indexers.forEach((name, function) -> {
			if (previous != null && name.equals(Lister.NAMESPACE_INDEX)) {
				// no object moves to another namespace
				return;
			}
			Collection<String> values = values(name, function, key, object);
			if (previous != null) {
				unfile(name, key, values(name, function, key, previous), values);
			}
			values.forEach((value) -> file(name, value, key));
		});
	}

	void delete(ResourceKey key) {
		T previous = this.objects.get(key);
		if (previous != null) {
			this.objects = this.objects.without(key);
			this.indexers
				.forEach((name, function) -> unfile(name, key, values(name, function, key, previous), List.of()));
		}
	}

	/** Returns the index values of an object, without duplicates. */
	private Collection<String> values(String name, IndexFunction<T> function, ResourceKey key, T object) {
		if (name.equals(Lister.NAMESPACE_INDEX)) {
			return key.namespace().isEmpty() ? List.of() : List.of(key.namespace());
		}
		try {
			Collection<String> values = function.values(object);
			// a copy, because the function may keep the collection and change it
			return (values != null) ? distinct(List.copyOf(values))
					: unfiled(name, key, "returned null instead of no values");
		}
		catch (Exception | Error ex) {
			JvmFailureException.rethrow(ex);
			// E-12: a failing index function must not stop the mirror
			StackTraceElement[] trace = ex.getStackTrace();
			// logs no message, because it may quote the object
			return unfiled(name, key,
					"threw " + ex.getClass().getName() + ((trace.length > 0) ? " at " + trace[0] : ""));
		}
	}

	/**
	 * Removes duplicates. Uses a sorted set instead of a hash set, because the author of
	 * an object may choose many values with the same hash code.
	 */
	private static Collection<String> distinct(List<String> values) {
		return (values.size() > 1) ? new TreeSet<>(values) : values;
	}

	private Collection<String> unfiled(String name, ResourceKey key, String why) {
		logger.atWarn()
			.addKeyValue("key", key)
			.log("Index function '{}' failed on {}: it {}. The object is missing from this index", name, key, why);
		this.onIndexError.run();
		return List.of();
	}

	private PersistentMap<String, PersistentMap<ResourceKey, ResourceKey>> index(String name) {
		return Objects.requireNonNull(this.indices.get(name));
	}

	private void index(String name, PersistentMap<String, PersistentMap<ResourceKey, ResourceKey>> values) {
		this.indices = this.indices.with(name, values);
	}

	private void file(String index, String value, ResourceKey key) {
		PersistentMap<String, PersistentMap<ResourceKey, ResourceKey>> values = index(index);
		PersistentMap<ResourceKey, ResourceKey> keys = values.get(value);
		PersistentMap<ResourceKey, ResourceKey> present = (keys != null) ? keys : PersistentMap.empty();
		// usually, the index already contains the key of a changed object, but an index
		// function may return other values for the previous object than it did before
		if (present.get(key) == null) {
			index(index, values.with(value, present.with(key, key)));
		}
	}

	private void unfile(String index, ResourceKey key, Collection<String> previous, Collection<String> kept) {
		for (String value : previous) {
			PersistentMap<String, PersistentMap<ResourceKey, ResourceKey>> values = index(index);
			PersistentMap<ResourceKey, ResourceKey> keys = values.get(value);
			if (keys == null || kept.contains(value)) {
				continue;
			}
			PersistentMap<ResourceKey, ResourceKey> rest = keys.without(key);
			// S-35: the index drops a value without objects
			index(index, (rest.size() > 0) ? values.with(value, rest) : values.without(value));
		}
	}

	/**
	 * Returns the next state with a version. If the version is empty, the state keeps the
	 * version of the edited state (S-20, S-21).
	 */
	MirrorState<T> finishUnlessEmpty(String resourceVersion) {
		return finish(resourceVersion.isEmpty() ? this.resourceVersion : resourceVersion);
	}

	MirrorState<T> finish(String resourceVersion) {
		return new MirrorState<>(this.objects, this.indices, resourceVersion);
	}

	/** The keys of an index that is being built, by value. */
	private static final class FiledKeys {

		private PersistentMap<String, PersistentMapBuilder<ResourceKey, ResourceKey>> keys = PersistentMap.empty();

		void file(String value, ResourceKey key) {
			PersistentMapBuilder<ResourceKey, ResourceKey> filed = this.keys.get(value);
			if (filed == null) {
				filed = new PersistentMapBuilder<>();
				this.keys = this.keys.with(value, filed);
			}
			filed.add(key, key);
		}

		PersistentMap<String, PersistentMap<ResourceKey, ResourceKey>> build() {
			PersistentMapBuilder<String, PersistentMap<ResourceKey, ResourceKey>> values = new PersistentMapBuilder<>();
			this.keys.forEach((value, filed) -> values.add(value, filed.build()));
			return values.build();
		}

	}

}
