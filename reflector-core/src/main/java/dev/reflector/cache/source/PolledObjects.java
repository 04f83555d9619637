package dev.reflector.cache.source;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * The results of the polls of a {@link PollingListerWatcher}: each object with the
 * version of its last change, and the most recent deletions. Thread-safe.
 *
 * @param <T> the type of the objects
 */
final class PolledObjects<T> {

	/** The largest number of stored deletions. */
	private static final int DELETIONS = 10_000;

	private final Function<? super T, ResourceKey> keys;

	private final Versions versions = new Versions();

	private Map<ResourceKey, Polled<T>> objects = new LinkedHashMap<>();

	/** The deleted objects, oldest deletion first. */
	private final Map<ResourceKey, Polled<T>> deletions = new LinkedHashMap<>();

	/**
	 * The versions of instances that had another version before, such as deleted ones,
	 * each with the version before. Oldest first.
	 */
	private final Map<Long, Long> renumbered = new LinkedHashMap<>();

	/**
	 * Changes after an earlier version than this one may be missing in {@link #deletions}
	 * or {@link #renumbered}.
	 */
	private long forgotten;

	private long version = 1;

	private long updatedAt = System.nanoTime();

	private boolean updated;

	/** Whether any poll has returned an object with a namespace. */
	private boolean namespaced;

	PolledObjects(Function<? super T, ResourceKey> keys) {
		this.keys = keys;
	}

	/**
	 * Compares the objects with the result of the previous poll, and stores the new
	 * result. Changes nothing when it throws.
	 * @param current all objects of the new poll
	 * @return the version of the new state
	 */
	synchronized long update(Collection<? extends T> current) {
		Map<ResourceKey, Polled<T>> changed = new LinkedHashMap<>();
		Map<ResourceKey, Polled<T>> gone = new LinkedHashMap<>(this.objects);
		Map<ResourceKey, Polled<T>> found = new LinkedHashMap<>();
		for (Map.Entry<ResourceKey, T> entry : named(current).entrySet()) {
			Polled<T> before = gone.remove(entry.getKey());
			if (before != null && before.object.equals(entry.getValue())) {
				found.put(entry.getKey(), before);
				continue;
			}
			Polled<T> now = new Polled<>(entry.getValue(), 0, before == null);
			changed.put(entry.getKey(), now);
			found.put(entry.getKey(), now);
		}
		gone.forEach((key, polled) -> this.deletions.put(key, numbered(polled.object, false)));
		changed.forEach((key, polled) -> {
			this.deletions.remove(key);
			found.put(key, numbered(polled.object, polled.added));
		});
		if (this.renumbered.containsKey(this.version)) {
			// a watch that has delivered all changes must not begin earlier
			this.version++;
		}
		forget();
		this.objects = found;
		this.namespaced = this.namespaced || found.keySet().stream().anyMatch((key) -> !key.namespace().isEmpty());
		this.updatedAt = System.nanoTime();
		this.updated = true;
		return this.version;
	}

	/**
	 * Gives the next version to a change. Each change has its own, because a watch may
	 * end after any of the changes of a poll, and the next watch begins from its version.
	 */
	private Polled<T> numbered(T object, boolean added) {
		this.version++;
		Long before = this.versions.put(object, this.version);
		if (before != null) {
			this.renumbered.put(this.version, before);
		}
		return new Polled<>(object, this.version, added);
	}

	private Map<ResourceKey, T> named(Collection<? extends T> current) {
		Map<ResourceKey, T> named = new LinkedHashMap<>();
		for (T object : current) {
			if (object == null) {
				throw new IllegalStateException("The poll has returned a null among the objects");
			}
			if (named.isEmpty()) {
				requireEquals(object.getClass());
			}
			ResourceKey key = this.keys.apply(object);
			T other = named.putIfAbsent(key, object);
			if (other != null && !other.equals(object)) {
				throw new IllegalStateException("The poll has returned two different objects named '" + key + "'");
			}
		}
		return named;
	}

	private static void requireEquals(Class<?> type) {
		try {
			if (type.getMethod("equals", Object.class).getDeclaringClass() == Object.class) {
				throw new IllegalStateException("The class " + type.getName()
						+ " has no 'equals', so changes cannot be found. Write it, or make the class a record");
			}
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void forget() {
		Iterator<Polled<T>> oldest = this.deletions.values().iterator();
		for (int excess = this.deletions.size() - DELETIONS; excess > 0; excess--) {
			this.forgotten = Math.max(this.forgotten, oldest.next().version);
			oldest.remove();
		}
		Iterator<Long> numbers = this.renumbered.keySet().iterator();
		for (int excess = this.renumbered.size() - DELETIONS; excess > 0; excess--) {
			this.forgotten = Math.max(this.forgotten, numbers.next() + 1);
			numbers.remove();
		}
	}

	/**
	 * Returns the version after which a watch begins. This is an earlier version than the
	 * given one if an instance had both: the previous watch may have ended at an earlier
	 * event of this instance, which was read with the later version. Changes that are
	 * delivered twice have no effect.
	 * @param version the version that the previous watch has reached
	 * @return the version
	 */
	synchronized long beginning(long version) {
		long beginning = version;
		Long before = this.renumbered.get(beginning);
		while (before != null) {
			beginning = before;
			before = this.renumbered.get(beginning);
		}
		return beginning;
	}

	/**
	 * Returns how long to wait before the next poll.
	 * @param period the time between two polls
	 * @return the time to wait, zero when the next poll is due
	 */
	synchronized Duration untilDue(Duration period) {
		Duration since = Duration.ofNanos(System.nanoTime() - this.updatedAt);
		return (this.updated && since.compareTo(period) < 0) ? period.minus(since) : Duration.ZERO;
	}

	/**
	 * Returns the objects of the last poll.
	 * @param namespace the namespace, or {@code null} for all
	 * @return the objects
	 * @throws IllegalStateException when a namespace is given, but the objects are in
	 * none
	 */
	synchronized ListPage<T> page(@Nullable String namespace) {
		requireNamespaces(namespace);
		List<T> page = new ArrayList<>();
		this.objects.forEach((key, polled) -> {
			if (namespace == null || namespace.equals(key.namespace())) {
				page.add(polled.object);
			}
		});
		return new ListPage<>(page, Long.toString(this.version), "", List.of());
	}

	/**
	 * Fails when a namespace would always be empty, because no object has ever had a
	 * namespace.
	 */
	private void requireNamespaces(@Nullable String namespace) {
		if (namespace != null && !this.namespaced && !this.objects.isEmpty()) {
			throw new IllegalStateException(
					"The poll has returned objects that are in no namespace, but the reflector mirrors the namespace '"
							+ namespace + "'. Set their namespaces with 'withNamespace', or remove the namespaces of "
							+ "the reflector, with an empty 'reflector.resources.<name>.namespaces' if they come from "
							+ "'reflector.api-server.namespace'");
		}
	}

	/**
	 * Adds the changes since a version to a list, in the order of their versions.
	 * @param from the version
	 * @param namespace the namespace, or {@code null} for all
	 * @param changes receives the changes
	 * @return the version after these changes, or -1 when some of these changes are no
	 * longer stored
	 * @throws IllegalStateException when a namespace is given, but the objects are in
	 * none
	 */
	synchronized long changesAfter(long from, @Nullable String namespace, List<WatchEvent<T>> changes) {
		if (from < this.forgotten || from > this.version) {
			return -1;
		}
		if (from == this.version) {
			return from;
		}
		requireNamespaces(namespace);
		SortedMap<Long, WatchEvent<T>> found = new TreeMap<>();
		this.deletions.forEach((key, polled) -> {
			if (polled.version > from && (namespace == null || namespace.equals(key.namespace()))) {
				found.put(polled.version, new WatchEvent.Deleted<>(polled.object));
			}
		});
		this.objects.forEach((key, polled) -> {
			if (polled.version > from && (namespace == null || namespace.equals(key.namespace()))) {
				found.put(polled.version, polled.added ? new WatchEvent.Added<>(polled.object)
						: new WatchEvent.Modified<>(polled.object));
			}
		});
		changes.addAll(found.values());
		return this.version;
	}

	String version(T object) {
		return this.versions.get(object);
	}

	/**
	 * An object that a poll has returned.
	 *
	 * @param object the object
	 * @param version the version of the last change of the object
	 * @param added whether the object was new in that version
	 */
	private record Polled<T>(T object, long version, boolean added) {

	}

	/**
	 * The versions of all object instances that are still in use. Queues may contain an
	 * older instance of an object that has changed since, so each instance has its own
	 * version.
	 */
	private static final class Versions {

		private final ReferenceQueue<Object> unused = new ReferenceQueue<>();

		private final Map<Identity, Long> versions = new ConcurrentHashMap<>();

		/** Sets the version of an instance. Returns its version before, if it had one. */
		@Nullable Long put(Object object, long version) {
			for (Object next = this.unused.poll(); next != null; next = this.unused.poll()) {
				this.versions.remove(next);
			}
			return this.versions.put(new Identity(object, this.unused), version);
		}

		String get(Object object) {
			Long version = this.versions.get(new Identity(object, null));
			return (version != null) ? version.toString() : "";
		}

	}

	/**
	 * A key that is equal only to another key for the same instance. The garbage
	 * collector can still remove the instance.
	 */
	private static final class Identity extends WeakReference<Object> {

		private final int hash;

		Identity(Object object, @Nullable ReferenceQueue<Object> unused) {
			super(object, unused);
			this.hash = System.identityHashCode(object);
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return this == other || (other instanceof Identity identity && get() != null && get() == identity.get());
		}

		@Override
		public int hashCode() {
			return this.hash;
		}

	}

}
