package dev.reflector.cache.internal.snapshot;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.AnnouncedObjects;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * The additions that are not yet committed. An addition is announced, that is, stored
 * before listeners receive it, unless an object of the same name is already stored. Each
 * addition has the number of its batch of changes. A commit covers the additions of all
 * batches up to its mark.
 * <p>
 * An object may be added, deleted and added again before a commit covers the first
 * addition. All these additions are kept in order. The store can hold only one object of
 * a name. It holds the object of the first addition that no commit covers. After a crash,
 * a watch from the cursor delivers this object first, so the stored object and the
 * delivered one match.
 * <p>
 * The thread that writes the mirror begins batches and notes deletions. The thread of the
 * store makes all other changes. Any thread may read.
 *
 * @param <T> the type of the objects
 */
final class PendingAdditions<T> {

	/**
	 * The batch number of an addition that was restored from the snapshot, as long as the
	 * server has not shown whether the object still exists. No commit covers such an
	 * addition.
	 */
	private static final long OPEN = Long.MAX_VALUE;

	/** The additions by key. An entry is never changed, only replaced. */
	private final Map<ResourceKey, Announced<T>> announced = new ConcurrentHashMap<>();

	private final ResourceAccessor<T> accessor;

	private volatile long last;

	PendingAdditions(ResourceAccessor<T> accessor) {
		this.accessor = accessor;
	}

	/** Returns the number of the last batch. */
	long last() {
		return this.last;
	}

	/** Begins a batch, and returns its number. */
	synchronized long begin() {
		long number = this.last + 1;
		this.last = number;
		return number;
	}

	/** Adds objects that an earlier process has announced. */
	synchronized void restored(Map<ResourceKey, T> objects) {
		objects.forEach((key, object) -> this.announced.put(key,
				new Announced<>(List.of(new Addition<>(object, OPEN)), object)));
	}

	boolean contains(ResourceKey key) {
		return this.announced.containsKey(key);
	}

	/**
	 * Whether an object was restored from the snapshot and the server has not yet shown
	 * whether it still exists.
	 */
	boolean isOpen(ResourceKey key) {
		Announced<T> present = this.announced.get(key);
		return present != null && present.newest().number() == OPEN;
	}

	/**
	 * Notes that listeners are about to receive an addition.
	 * @param key the key
	 * @param object the object
	 * @param number the number of the batch
	 * @param stored whether this object is stored; if not, another object of the same
	 * name is
	 */
	synchronized void add(ResourceKey key, T object, long number, boolean stored) {
		Announced<T> before = this.announced.get(key);
		List<Addition<T>> additions = new ArrayList<>((before != null) ? before.additions() : List.of());
		Addition<T> addition = new Addition<>(object, number);
		Addition<T> open = isOpen(key) ? additions.remove(additions.size() - 1) : null;
		additions.add(addition);
		if (open != null && AnnouncedObjects.isOlder(object, open.object(), this.accessor)) {
			// the added object is older than the restored one, so it is still unknown
			// whether the restored one exists
			additions.add(open);
		}
		this.announced.put(key,
				new Announced<>(List.copyOf(additions), (before != null) ? before.stored() : stored ? object : null));
	}

	/**
	 * Notes that listeners are about to receive a deletion.
	 * @param key the key
	 * @param object the deleted object
	 * @param number the number of the batch
	 */
	synchronized void deleted(ResourceKey key, T object, long number) {
		Announced<T> before = this.announced.get(key);
		if (before == null || !isOpen(key)
				|| AnnouncedObjects.isOlder(object, before.newest().object(), this.accessor)) {
			return;
		}
		List<Addition<T>> additions = new ArrayList<>(before.additions());
		additions.set(additions.size() - 1, new Addition<>(before.newest().object(), number));
		this.announced.put(key, new Announced<>(List.copyOf(additions), before.stored()));
	}

	/**
	 * Returns the objects that a commit must store as announced, because their additions
	 * follow the mark of the commit. Each replaces a stored object of the same name that
	 * the commit removes.
	 * @param mark the mark of the commit
	 * @param target the state that the commit stores
	 * @param scope whether a key belongs to the scope that is committed
	 */
	synchronized Map<ResourceKey, T> after(long mark, PersistentMap<ResourceKey, T> target,
			Predicate<ResourceKey> scope) {
		Map<ResourceKey, T> after = new HashMap<>();
		this.announced.forEach((key, present) -> {
			if (target.get(key) == null && scope.test(key)) {
				Announced<T> left = present.after(mark);
				if (left != null && left.oldest().object() != present.stored()) {
					after.put(key, left.oldest().object());
				}
			}
		});
		return after;
	}

	/** Whether an object of this name was added after the mark of a commit. */
	boolean isAfter(ResourceKey key, long mark) {
		Announced<T> present = this.announced.get(key);
		return present != null && present.after(mark) != null;
	}

	/**
	 * Returns the keys of objects that were added before a mark, but that the state at
	 * the mark no longer contains.
	 */
	synchronized List<ResourceKey> gone(long mark, PersistentMap<ResourceKey, T> target, Predicate<ResourceKey> scope) {
		List<ResourceKey> gone = new ArrayList<>();
		this.announced.forEach((key, present) -> {
			if (target.get(key) == null && scope.test(key) && present.after(mark) == null) {
				gone.add(key);
			}
		});
		return gone;
	}

	/**
	 * Notes that a commit has stored a state of a scope, and the objects that
	 * {@link #after} returns.
	 */
	synchronized void committed(long mark, PersistentMap<ResourceKey, T> target, Predicate<ResourceKey> scope) {
		this.announced.keySet().removeIf((key) -> {
			Announced<T> present = this.announced.get(key);
			if (present == null || !scope.test(key)) {
				return false;
			}
			Announced<T> left = present.after(mark);
			T object = target.get(key);
			if (left != null && object != null) {
				left = left.newerThan(object, this.accessor);
			}
			if (left == null) {
				return true;
			}
			this.announced.put(key,
					new Announced<>(left.additions(), (object == null) ? left.oldest().object() : null));
			return false;
		});
	}

	/** Notes that it is unknown which of the announced objects are stored. */
	synchronized void doubt() {
		this.announced.replaceAll((key, present) -> new Announced<>(present.additions(), null));
	}

	synchronized void clear() {
		this.announced.clear();
	}

	/**
	 * Returns the objects that this process has announced. If several objects have the
	 * same name, the result contains the newest of them.
	 */
	Map<ResourceKey, T> objects() {
		Map<ResourceKey, T> objects = new HashMap<>();
		this.announced.forEach((key, announced) -> announced.additions()
			.stream()
			.filter((addition) -> addition.number() != OPEN)
			.forEach((addition) -> objects.put(key, addition.object())));
		return objects;
	}

	/**
	 * An addition.
	 *
	 * @param <T> the type of the object
	 * @param object the object
	 * @param number the number of the batch
	 */
	private record Addition<T>(T object, long number) {

	}

	/**
	 * The additions of objects that have the same name.
	 *
	 * @param <T> the type of the objects
	 * @param additions the additions in order, at least one
	 * @param stored the object that the store contains, marked as announced; {@code null}
	 * if the store contains another object with this name, or if it is unknown which
	 * object it contains
	 */
	private record Announced<T>(List<Addition<T>> additions, @Nullable T stored) {

		Addition<T> oldest() {
			return this.additions.get(0);
		}

		Addition<T> newest() {
			return this.additions.get(this.additions.size() - 1);
		}

		/**
		 * Returns the additions that a commit with this mark does not cover, or {@code
		 * null} if it covers all of them.
		 */
		@Nullable Announced<T> after(long mark) {
			return with(this.additions.stream().filter((addition) -> addition.number() > mark).toList());
		}

		/**
		 * Returns the additions whose objects are newer than an object, or {@code null}
		 * if there are none.
		 */
		@Nullable Announced<T> newerThan(T object, ResourceAccessor<T> accessor) {
			return with(this.additions.stream()
				.filter((addition) -> AnnouncedObjects.isOlder(object, addition.object(), accessor))
				.toList());
		}

		private @Nullable Announced<T> with(List<Addition<T>> left) {
			return left.isEmpty() ? null
					: (left.size() == this.additions.size()) ? this : new Announced<>(left, this.stored);
		}

	}

}
