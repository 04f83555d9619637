package dev.reflector.cache.internal.delivery;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.internal.store.Stock;
import org.jspecify.annotations.Nullable;

/**
 * The changes that the mirror shows and that have not reached the queues of the listeners
 * yet. Filled while the mirror is written, and emptied without any lock afterwards, by
 * one thread.
 *
 * @param <T> the type of the objects
 */
public final class Outbox<T> {

	/** How many changes are handed to a listener at once. */
	private static final int ROW = 64;

	private final Handlers<T> handlers;

	private final Deque<Change<T>> changes = new ArrayDeque<>();

	/** The objects that an empty mirror was filled with, before the changes. */
	private @Nullable Stock<T> stock;

	/** Read by other threads, too. */
	private volatile int size;

	/** The number of the last change that was handed out. */
	private long handedOut;

	public Outbox(Handlers<T> handlers) {
		this.handlers = handlers;
	}

	/**
	 * Starts a new run: changes that were numbered before are not handed out any more.
	 */
	public void begin() {
		this.handedOut = this.handlers.sequence();
	}

	/** Adds a change of the mirror. Called only while the mirror is written. */
	public void add(Change<T> change) {
		this.changes.add(change);
		this.handlers.changed(1);
		this.size++;
	}

	public boolean isEmpty() {
		return this.changes.isEmpty() && this.stock == null;
	}

	/**
	 * Adds the objects that an empty mirror was filled with. Called only while the mirror
	 * is written, and while the outbox is empty.
	 */
	public void fill(Stock<T> stock) {
		this.stock = stock;
		this.handlers.changed(stock.size());
		this.size = stock.size();
	}

	/**
	 * Visits what is here, without handing it out.
	 * @param object called with each object that an empty mirror was filled with
	 * @param change called with each change after that
	 */
	public void forEach(BiConsumer<ResourceKey, T> object, Consumer<Change<T>> change) {
		Stock<T> stock = this.stock;
		if (stock != null) {
			stock.entries().forEach((entry) -> object.accept(entry.getKey(), entry.getValue()));
		}
		this.changes.forEach(change);
	}

	/** Adds everything to the queues of the listeners. Waits while one has no room. */
	public void handOut() {
		Stock<T> stock = this.stock;
		if (stock != null) {
			this.stock = null;
			this.handedOut += stock.size();
			this.handlers.fill(stock, this.handedOut);
			this.size = this.changes.size();
		}
		while (!this.changes.isEmpty()) {
			List<Change<T>> row = nextRow();
			List<ProcessorListener<T>> full = this.handlers.offer(row, this.handedOut + 1);
			if (!full.isEmpty()) {
				awaitRoom(row, full);
			}
			this.handedOut += row.size();
			this.size = this.changes.size();
		}
	}

	private List<Change<T>> nextRow() {
		List<Change<T>> row = new ArrayList<>(Math.min(ROW, this.changes.size()));
		Change<T> change;
		while (row.size() < ROW && (change = this.changes.poll()) != null) {
			row.add(change);
		}
		return row;
	}

	private void awaitRoom(List<Change<T>> row, List<ProcessorListener<T>> full) {
		long number = this.handedOut;
		int left = row.size();
		for (Change<T> change : row) {
			number++;
			for (ProcessorListener<T> listener : full) {
				listener.add(change, number);
			}
			this.size = this.changes.size() + --left;
		}
	}

	/** How many changes are here, or wait for room in the queue of a listener. */
	public int size() {
		return this.size;
	}

}
