package dev.reflector.cache;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * Delivers every delta in the order of arrival across all objects, and a complete state
 * as one step (client-go's {@code RealFIFO} with atomic replace). Knows nothing of the
 * mirror: the consumer works out what a complete state has changed, against what it has
 * really reached (rule D-49).
 *
 * @param <T> the type of the objects
 */
final class ArrivalOrderFifo<T> extends DeltaFifo<T> {

	private final Deque<Delta<T>> deltas = new ArrayDeque<>();

	private boolean processing;

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
		return this.deltas.size() + (this.processing ? 1 : 0);
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
	void appendResync(@Nullable String namespace) {
		this.deltas.add(new Delta.SyncAll<>(namespace));
	}

	@Override
	boolean isEmpty() {
		return this.deltas.isEmpty();
	}

	@Override
	int depth() {
		return this.deltas.size();
	}

	@Override
	int inProcess() {
		return this.processing ? 1 : 0;
	}

	@Override
	void take(Process<T> process, boolean isInInitialList) {
		Delta<T> delta = this.deltas.remove();
		// D-51: processed without the lock, the bound of the queue gives the
		// back-pressure
		this.processing = true;
		this.lock.unlock();
		try {
			process.process(List.of(delta), isInInitialList);
		}
		finally {
			this.lock.lock();
			this.processing = false;
			// D-35: counted after processing, so that synced means processed
			popped(1);
		}
	}

}
