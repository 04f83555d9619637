package dev.reflector.cache.internal.queue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.KnownObjects;
import dev.reflector.cache.internal.store.ResourceVersions;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Accumulates deltas by key and delivers all queued deltas of a key at once (client-go's
 * {@code DeltaFIFO} that emits {@code Replaced} deltas). Keys are delivered in the order
 * in which they were first queued, without an order of deltas across keys (rule D-12).
 * When a complete state is queued, it is compared with the known objects to find
 * deletions. So deltas must be processed under the lock of the queue.
 *
 * @param <T> the type of the objects
 */
final class PerKeyFifo<T> extends DeltaFifo<T> {

	private final ResourceAccessor<T> accessor;

	private final KnownObjects<T> known;

	private final Map<ResourceKey, List<Delta<T>>> deltas = new HashMap<>();

	private final Deque<ResourceKey> queue = new ArrayDeque<>();

	/**
	 * The marks that were set while no key was queued. They are reached before all keys
	 * that are added later.
	 */
	private final Deque<Delta.Mark<T>> marks = new ArrayDeque<>();

	private int depth;

	PerKeyFifo(ResourceAccessor<T> accessor, KnownObjects<T> known, int scopes, int capacity) {
		super(accessor, scopes, capacity);
		this.accessor = accessor;
		this.known = known;
	}

	@Override
	void append(ResourceKey key, Delta<T> delta) {
		List<Delta<T>> waiting = this.deltas.get(key);
		if (waiting == null) {
			waiting = new ArrayList<>(1);
			this.deltas.put(key, waiting);
			this.queue.add(key);
		}
		if (!compressed(waiting, delta)) {
			waiting.add(delta);
			this.depth++;
		}
	}

	/**
	 * Merges a delta with the previous one if both are deletions: the older deletion
	 * stays, unless it is a tombstone (D-13). A late deletion, which is perhaps not
	 * applied, never stays instead of another. Returns whether the delta was merged.
	 */
	private boolean compressed(List<Delta<T>> waiting, Delta<T> delta) {
		if (!(delta instanceof Delta.Deleted<T> deletion) || waiting.isEmpty()
				|| !(waiting.get(waiting.size() - 1) instanceof Delta.Deleted<T> older)) {
			return false;
		}
		if (older.late() || (older.tombstone() && !deletion.late())) {
			waiting.set(waiting.size() - 1, delta);
		}
		return true;
	}

	@Override
	void appendDeleted(Delta.Deleted<T> delta) {
		// D-11: the deletion of an object that is neither queued nor known is dropped
		if (this.deltas.containsKey(delta.key()) || this.known.contains(delta.key())) {
			append(delta.key(), delta);
		}
	}

	@Override
	void appendReplacement(Delta.Replacement<T> replacement, boolean first) {
		Delta.Kind kind = replacement.byContent() ? Delta.Kind.REPLACED_BY_CONTENT : Delta.Kind.REPLACED;
		replacement.objects().forEach((key, object) -> append(key, new Delta.Upsert<>(kind, key, object)));
		List<Delta.Deleted<T>> gone = new ArrayList<>();
		this.deltas.forEach((key, waiting) -> {
			if (replacement.lacks(key)) {
				gone.add(new Delta.Deleted<>(key, newest(key, waiting), true));
			}
		});
		this.known.forEach((key, object) -> {
			if (replacement.lacks(key) && !this.deltas.containsKey(key)
					&& !this.known.isNewerThan(replacement.mayLackObjectsAfter(), key)) {
				gone.add(new Delta.Deleted<>(key, object, true));
			}
		});
		this.known.forEachUnknown(replacement.mayLackObjectsAfter(), (key) -> {
			if (replacement.lacks(key) && !this.deltas.containsKey(key)) {
				gone.add(new Delta.Deleted<>(key, null, true));
			}
		});
		gone.forEach((delta) -> append(delta.key(), delta));
	}

	@Override
	int pending() {
		return this.queue.size();
	}

	/**
	 * Returns the object after all queued deltas of a key. Late deletions do not count,
	 * because they are perhaps not applied. A late object counts only if no newer one is
	 * known.
	 */
	private @Nullable T newest(ResourceKey key, List<Delta<T>> waiting) {
		T newest = this.known.get(key);
		T existing = newest;
		for (Delta<T> delta : waiting) {
			if (delta instanceof Delta.Upsert<T> upsert) {
				if (upsert.kind() != Delta.Kind.LATE || existing == null || !isNewer(existing, upsert.object())) {
					existing = upsert.object();
					newest = existing;
				}
			}
			else if (delta instanceof Delta.Deleted<T> deleted && !deleted.late()) {
				// D-07: the new tombstone contains the object of an older one, not the
				// older tombstone
				newest = deleted.object();
				existing = null;
			}
		}
		return newest;
	}

	private boolean isNewer(T object, T other) {
		return ResourceVersions.isGreater(this.accessor.resourceVersion(object), this.accessor.resourceVersion(other));
	}

	@Override
	void appendBookmark(String resourceVersion) {
		// D-30: in this ordering, bookmarks have no effect
	}

	@Override
	boolean appendMark(Runnable reached) {
		return this.queue.isEmpty() && this.marks.add(new Delta.Mark<>(reached));
	}

	@Override
	void appendResync(@Nullable String namespace, BooleanSupplier begins) {
		if (!begins.getAsBoolean()) {
			return;
		}
		// D-19: leaves out objects with queued deltas, because these are delivered anyway
		List<Delta.Upsert<T>> sync = new ArrayList<>();
		this.known.forEach((key, object) -> {
			boolean meant = namespace == null || namespace.equals(key.namespace());
			if (meant && !this.deltas.containsKey(key)) {
				sync.add(new Delta.Upsert<>(Delta.Kind.SYNC, key, object));
			}
		});
		sync.forEach((delta) -> append(delta.key(), delta));
	}

	@Override
	boolean hasResync(@Nullable String namespace) {
		return this.deltas.entrySet()
			.stream()
			.filter((entry) -> namespace == null || namespace.equals(entry.getKey().namespace()))
			.flatMap((entry) -> entry.getValue().stream())
			.anyMatch((delta) -> delta instanceof Delta.Upsert<T> upsert && upsert.kind() == Delta.Kind.SYNC);
	}

	@Override
	boolean isEmpty() {
		return this.queue.isEmpty() && this.marks.isEmpty();
	}

	@Override
	boolean beginsWithObject() {
		// in this ordering, deltas about single objects are processed under the lock, too
		return false;
	}

	@Override
	public boolean hasRoom() {
		// adding a delta may have to wait for the batch that is processed under the lock
		return false;
	}

	/**
	 * Closes the queue, later if a batch is being processed: it holds the lock, and
	 * nothing limits how long an index function takes.
	 */
	@Override
	public void close() {
		if (this.lock.tryLock()) {
			try {
				super.close();
			}
			finally {
				this.lock.unlock();
			}
		}
		else {
			CompletableFuture.runAsync(super::close);
		}
	}

	@Override
	int depth() {
		return this.depth;
	}

	@Override
	void take(PopProcessFunc<T> process, boolean isInInitialList, int limit) {
		Delta.Mark<T> mark = this.marks.poll();
		if (mark != null) {
			process.process(List.of(mark), isInInitialList);
			return;
		}
		ResourceKey key = this.queue.remove();
		List<Delta<T>> waiting = this.deltas.remove(key);
		this.depth -= waiting.size();
		// D-24: counted before processing
		popped(1);
		process.process(waiting, isInInitialList);
	}

}
