package dev.reflector.kafka;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.ResourceVersions;
import org.jspecify.annotations.Nullable;

/**
 * The state of each key of a topic. Within a partition, the later record counts. After
 * partitions were added, the hash of a key may select another partition, so a key may
 * have records in several partitions. If these records have the same uid, their versions
 * show which is later. Used by one thread at a time.
 *
 * @param <T> the type of the objects
 */
final class KeyStates<T> {

	private final Map<ResourceKey, Said<T>> states = new HashMap<>();

	/**
	 * The last record of a key in each partition, for keys with records in several
	 * partitions.
	 */
	private final Map<ResourceKey, Map<Integer, Said<T>>> moved = new HashMap<>();

	/**
	 * The keys whose state could not be decided yet, each with the exception to throw if
	 * the state is still undecided after all partitions were read.
	 */
	private final Map<ResourceKey, UndecidedStateException> undecided = new HashMap<>();

	private final BiPredicate<T, T> same;

	/**
	 * Whether all partitions were read. Deletions are kept until then, because another
	 * partition may still return an older record of the deleted object.
	 */
	private boolean complete;

	/**
	 * Creates an empty instance, which has no state of any key yet.
	 * @param same whether two objects have the same content
	 */
	KeyStates(BiPredicate<T, T> same) {
		this.same = same;
	}

	@Nullable T object(ResourceKey key) {
		Said<T> state = this.states.get(key);
		return (state != null) ? state.object() : null;
	}

	List<T> objects() {
		List<T> objects = new ArrayList<>(this.states.size());
		this.states.values().forEach((state) -> {
			T object = state.object();
			if (object != null) {
				objects.add(object);
			}
		});
		return objects;
	}

	/**
	 * Notes the last record of a key in a partition.
	 * @param key the key
	 * @param said the state in that record
	 * @throws UndecidedStateException if another partition has another state, and the
	 * versions do not show which is later
	 */
	void put(ResourceKey key, Said<T> said) {
		Said<T> before = this.states.get(key);
		Map<Integer, Said<T>> all = this.moved.get(key);
		if (all == null && before != null && before.partition() != said.partition()) {
			all = new TreeMap<>(Map.of(before.partition(), before));
			this.moved.put(key, all);
		}
		Said<T> state = said;
		if (all != null) {
			all.put(said.partition(), said);
			state = latest(key, said, all.values());
		}
		this.states.put(key, state);
		if (this.complete && state.isDeletion()) {
			forget(key);
		}
	}

	/**
	 * Notes that all partitions were read.
	 * @throws UndecidedStateException if partitions have different states of a key, and
	 * the versions do not show which is later
	 */
	void complete() {
		if (!this.complete) {
			this.undecided.values().stream().findFirst().ifPresent((undecided) -> {
				throw undecided;
			});
			this.complete = true;
			this.states.entrySet()
				.stream()
				.filter((entry) -> entry.getValue().isDeletion())
				.map(Map.Entry::getKey)
				.toList()
				.forEach(this::forget);
		}
	}

	/** Forgets the deletion of a key, unless another partition still has the object. */
	private void forget(ResourceKey key) {
		if (isDeletedEverywhere(this.moved.getOrDefault(key, Map.of()).values())) {
			this.moved.remove(key);
			this.states.remove(key);
		}
	}

	/**
	 * Copies deletions from an earlier instance, because the topic may have cleaned up
	 * their records since. Copies only deletions of objects that another partition of the
	 * topic still has.
	 */
	void remember(KeyStates<T> before) {
		before.moved.forEach((key, all) -> all.values().stream().filter(Said::isDeletion).forEach((deletion) -> {
			if (!isDeletedEverywhere(all.values())) {
				put(key, deletion);
			}
		}));
	}

	private static boolean isDeletedEverywhere(Collection<? extends Said<?>> all) {
		return all.stream().allMatch(Said::isDeletion);
	}

	/**
	 * Returns the latest state of a key. If it is undecided which state is the latest,
	 * throws an exception once all partitions were read; until then, returns
	 * {@code said}.
	 */
	private Said<T> latest(ResourceKey key, Said<T> said, Collection<Said<T>> all) {
		this.undecided.remove(key);
		try {
			return latest(key, all);
		}
		catch (UndecidedStateException ex) {
			if (this.complete) {
				throw ex;
			}
			this.undecided.put(key, ex);
			return said;
		}
	}

	private Said<T> latest(ResourceKey key, Collection<Said<T>> all) {
		boolean oneUid = all.stream().map(Said::uid).filter((uid) -> !uid.isEmpty()).distinct().count() < 2;
		if (!oneUid && !isDeletedEverywhere(all)) {
			throw new UndecidedStateException(key, all);
		}
		return all.stream().reduce((one, other) -> later(key, one, other)).orElseThrow();
	}

	private Said<T> later(ResourceKey key, Said<T> one, Said<T> other) {
		if (ResourceVersions.isGreater(one.version(), other.version())) {
			return one;
		}
		if (ResourceVersions.isGreater(other.version(), one.version())) {
			return other;
		}
		T object = one.object();
		T otherObject = other.object();
		boolean equal = (object != null && otherObject != null) ? this.same.test(object, otherObject)
				: object == otherObject;
		if (equal) {
			return one;
		}
		boolean sameVersion = !one.version().isEmpty() && one.version().equals(other.version());
		if (sameVersion && (one.isDeletion() || other.isDeletion())) {
			// if the publisher missed the deletion, the deletion has the same version as
			// the last state of the object
			return one.isDeletion() ? one : other;
		}
		throw new UndecidedStateException(key, List.of(one, other));
	}

}
