package dev.reflector.cache.internal.snapshot;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.PersistentMap;

/**
 * The additions that no commit covers yet: they were stored, or were there already, when
 * listeners were about to hear of them. Each has the number of the batch of changes it
 * came with. A commit covers what came with the batches before its mark.
 * <p>
 * Changed under the lock of {@link OpenSnapshot}. Any thread may read.
 *
 * @param <T> the type of the objects
 */
final class Announcements<T> {

	/**
	 * Restored from the snapshot and not yet decided by the server, so no commit covers
	 * it.
	 */
	private static final long OPEN = Long.MAX_VALUE;

	private final Map<ResourceKey, Announced<T>> announced = new ConcurrentHashMap<>();

	private volatile long last;

	/** The number of the last batch. */
	long last() {
		return this.last;
	}

	/** Begins a batch; returns its number. */
	long begin() {
		long number = this.last + 1;
		this.last = number;
		return number;
	}

	/** An earlier process has announced these. */
	void restored(Map<ResourceKey, T> objects) {
		objects.forEach((key, object) -> this.announced.put(key, new Announced<>(object, OPEN, false)));
	}

	boolean contains(ResourceKey key) {
		return this.announced.containsKey(key);
	}

	/** Whether it was restored from the snapshot and not yet decided by the server. */
	boolean isOpen(ResourceKey key) {
		Announced<T> present = this.announced.get(key);
		return present != null && present.number == OPEN;
	}

	void add(ResourceKey key, T object, long number) {
		this.announced.merge(key, new Announced<>(object, number, false),
				(before, next) -> new Announced<>(object, number, true));
	}

	/** Listeners are about to hear of a deletion. */
	void deleted(ResourceKey key, long number) {
		this.announced.computeIfPresent(key, (same, before) -> (before.number == OPEN)
				? new Announced<>(before.object, number, before.other) : before);
	}

	/**
	 * Objects announced after a mark that a commit must keep as announced: those that it
	 * would remove, and those of which an earlier object of the same name is stored,
	 * whose deletion is completed now.
	 * @param mark the mark
	 * @param removed the keys that the commit removes
	 * @param target the state that it stores
	 * @param scope the keys that it is about
	 */
	Map<ResourceKey, T> after(long mark, Set<ResourceKey> removed, PersistentMap<ResourceKey, T> target,
			Predicate<ResourceKey> scope) {
		Map<ResourceKey, T> after = new HashMap<>();
		this.announced.forEach((key, present) -> {
			boolean stale = present.other && present.number != OPEN && target.get(key) == null && scope.test(key);
			if (present.number > mark && (stale || removed.contains(key))) {
				after.put(key, present.object);
			}
		});
		return after;
	}

	/** These are stored as they were announced. */
	void rewritten(Set<ResourceKey> keys) {
		keys.forEach((key) -> this.announced.computeIfPresent(key,
				(same, present) -> new Announced<>(present.object, present.number, false)));
	}

	/** The objects that came before a mark, and are not there any more. */
	List<ResourceKey> gone(long mark, PersistentMap<ResourceKey, T> target, Predicate<ResourceKey> scope) {
		List<ResourceKey> gone = new ArrayList<>();
		this.announced.forEach((key, object) -> {
			if (object.number <= mark && target.get(key) == null && scope.test(key)) {
				gone.add(key);
			}
		});
		return gone;
	}

	/** A commit has stored a state of a scope. */
	void committed(long mark, PersistentMap<ResourceKey, T> target, Predicate<ResourceKey> scope) {
		this.announced.entrySet()
			.removeIf((entry) -> scope.test(entry.getKey())
					&& (entry.getValue().number <= mark || target.get(entry.getKey()) != null));
	}

	void clear() {
		this.announced.clear();
	}

	/** A copy of the objects of this process. */
	Map<ResourceKey, T> objects() {
		Map<ResourceKey, T> objects = new HashMap<>();
		this.announced.forEach((key, announced) -> {
			if (announced.number != OPEN) {
				objects.put(key, announced.object);
			}
		});
		return objects;
	}

	/**
	 * An addition.
	 *
	 * @param <T> the type of the object
	 * @param object the object
	 * @param number the number of its batch
	 * @param other whether what is stored may be an earlier object of the same name
	 */
	private record Announced<T>(T object, long number, boolean other) {

	}

}
