package dev.reflector.cache.internal.delivery;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.internal.store.InitialObjects;
import org.jspecify.annotations.Nullable;

/**
 * The changes that the mirror already contains but that are not in the queues of the
 * listeners yet. One thread adds changes while the mirror is written, and hands them out
 * afterwards without any lock.
 *
 * @param <T> the type of the objects
 */
public final class PendingChanges<T> {

	/** The largest number of changes that are added to a queue at once. */
	private static final int ROW = 64;

	private final Handlers<T> handlers;

	private final Deque<Change<T>> changes = new ArrayDeque<>();

	/**
	 * The objects with which an empty mirror was filled. They are handed out before the
	 * changes.
	 */
	private @Nullable InitialObjects<T> initial;

	/** The number of changes that are not handed out yet. Other threads read it, too. */
	private volatile int size;

	/** The number of the last change that was handed out. */
	private long handedOut;

	/** The changes that are being handed out, in their order. */
	private final List<Change<T>> row = new ArrayList<>(ROW);

	/** The listeners that had no room for the whole row. */
	private final List<ProcessorListener<T>> full = new ArrayList<>();

	public PendingChanges(Handlers<T> handlers) {
		this.handlers = handlers;
	}

	/**
	 * Begins to hand out changes. The first one gets the number after the last change of
	 * the mirror.
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
		return this.changes.isEmpty() && this.initial == null && this.row.isEmpty();
	}

	/**
	 * Adds the objects with which an empty mirror was filled. Called only while the
	 * mirror is written and this object is empty.
	 */
	public void fill(InitialObjects<T> initial) {
		this.initial = initial;
		this.handlers.changed(initial.size());
		this.size = initial.size();
	}

	/**
	 * Visits all objects and changes that are not handed out yet, without handing them
	 * out.
	 * @param object called with each object with which an empty mirror was filled
	 * @param change called with each change that follows these objects
	 */
	public void forEach(BiConsumer<ResourceKey, T> object, Consumer<Change<T>> change) {
		InitialObjects<T> initial = this.initial;
		if (initial != null) {
			initial.entries().forEach((entry) -> object.accept(entry.getKey(), entry.getValue()));
		}
		this.changes.forEach(change);
	}

	/**
	 * Adds all pending changes to the queues of the listeners. Waits while a queue has no
	 * room.
	 */
	public void handOut() {
		InitialObjects<T> initial = this.initial;
		if (initial != null) {
			this.initial = null;
			this.handedOut += initial.size();
			this.handlers.listeners().forEach((listener) -> listener.pending().fill(initial, this.handedOut));
			this.size = this.changes.size();
		}
		while (!handOutUnlessFull()) {
			awaitRoom();
		}
	}

	/**
	 * Adds changes to the queues of the listeners, row by row, until a queue has no room
	 * for a row. The other listeners still receive that row.
	 * @return whether all changes were added; {@link #handOut()} adds the rest
	 */
	public boolean handOutUnlessFull() {
		while (this.full.isEmpty() && !this.changes.isEmpty()) {
			nextRow();
			for (ProcessorListener<T> listener : this.handlers.listeners()) {
				if (!listener.pending().offer(this.row, this.handedOut + 1)) {
					this.full.add(listener);
				}
			}
			if (this.full.isEmpty()) {
				rowIsHandedOut();
			}
		}
		return this.full.isEmpty();
	}

	private void nextRow() {
		Change<T> change;
		while (this.row.size() < ROW && (change = this.changes.poll()) != null) {
			this.row.add(change);
		}
	}

	private void rowIsHandedOut() {
		this.handedOut += this.row.size();
		this.row.clear();
		this.size = this.changes.size();
	}

	/**
	 * Adds the rest of the row to the queues that were full, and waits until there is
	 * room in these queues.
	 */
	private void awaitRoom() {
		long number = this.handedOut;
		int left = this.row.size();
		for (Change<T> change : this.row) {
			number++;
			for (ProcessorListener<T> listener : this.full) {
				listener.add(change, number);
			}
			this.size = this.changes.size() + --left;
		}
		this.full.clear();
		rowIsHandedOut();
	}

	/** Returns the number of changes that are not yet in the queues of all listeners. */
	public int size() {
		return this.size;
	}

}
