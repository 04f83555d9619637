package dev.reflector.cache.internal.queue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

import dev.reflector.ResourceKey;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Delivers every delta in the order of arrival across all objects, and a complete state
 * as one step (client-go's {@code RealFIFO} with atomic replace). This queue does not
 * read the mirror: when the consumer reaches a complete state, the consumer compares it
 * with the mirror to find the changes (rule D-49).
 *
 * @param <T> the type of the objects
 */
final class ArrivalOrderFifo<T> extends DeltaFifo<T> {

	private final Deque<Delta<T>> deltas = new ArrayDeque<>();

	private int processing;

	ArrivalOrderFifo(ResourceAccessor<T> accessor, int scopes, int capacity) {
		super(accessor, scopes, capacity);
	}

	@Override
	void append(ResourceKey key, Delta<T> delta) {
		this.deltas.add(delta);
	}

	@Override
	void appendDeleted(Delta.Deleted<T> delta) {
		this.deltas.add(delta);
	}

	@Override
	void appendReplacement(Delta.Replacement<T> replacement, boolean first) {
		this.deltas.add(new Delta.ReplacedAll<>(replacement, first));
	}

	@Override
	int pending() {
		return this.deltas.size() + this.processing;
	}

	@Override
	void appendBookmark(String resourceVersion) {
		this.deltas.add(new Delta.Bookmark<>(resourceVersion));
	}

	@Override
	boolean appendMark(Runnable reached) {
		return this.deltas.add(new Delta.Mark<>(reached));
	}

	@Override
	void appendResync(@Nullable String namespace, BooleanSupplier begins) {
		this.deltas.add(new Delta.SyncAll<>(namespace, begins));
	}

	@Override
	boolean isEmpty() {
		return this.deltas.isEmpty();
	}

	@Override
	boolean beginsWithObject() {
		return nextKey() != null;
	}

	@Override
	int depth() {
		return this.deltas.size();
	}

	@Override
	int inProcess() {
		return this.processing;
	}

	@Override
	void take(PopProcessFunc<T> process, boolean isInInitialList, int limit) {
		// D-56: a batch never contains deltas of the first complete state together with
		// later deltas
		List<Delta<T>> batch = batch((initialPopulation() > 0) ? Math.min(limit, initialPopulation()) : limit);
		this.processing = batch.size();
		// D-51: processes without the lock, so loops can add deltas until the queue is
		// full
		this.lock.unlock();
		try {
			process.process(batch, isInInitialList);
		}
		finally {
			this.lock.lock();
			this.processing = 0;
			// D-35: counted after processing, so that the queue counts as synced only
			// after processing
			popped(batch.size());
		}
	}

	private List<Delta<T>> batch(int limit) {
		Delta<T> head = this.deltas.remove();
		ResourceKey key = key(head);
		if (key == null || limit < 2 || this.deltas.isEmpty()) {
			return List.of(head);
		}
		List<Delta<T>> batch = new ArrayList<>();
		Set<ResourceKey> keys = new HashSet<>();
		batch.add(head);
		keys.add(key);
		while (batch.size() < limit && (key = nextKey()) != null && keys.add(key)) {
			batch.add(this.deltas.remove());
		}
		return batch;
	}

	private @Nullable ResourceKey nextKey() {
		Delta<T> next = this.deltas.peek();
		return (next != null) ? key(next) : null;
	}

	/**
	 * Returns the key if the delta is about a single object, or {@code null}. Only such
	 * deltas are batched (D-55).
	 */
	private @Nullable ResourceKey key(Delta<T> delta) {
		if (delta instanceof Delta.Upsert<T> upsert) {
			return upsert.key();
		}
		return (delta instanceof Delta.Deleted<T> deleted) ? deleted.key() : null;
	}

}
