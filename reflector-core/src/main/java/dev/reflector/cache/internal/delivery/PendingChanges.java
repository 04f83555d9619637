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
 * The changes that the mirror shows and that have not reached the queues of the listeners
 * yet. One thread fills it while the mirror is written, and empties it afterwards without
 * any lock.
 *
 * @param <T> the type of the objects
 */
public final class PendingChanges<T> {

	/** The largest number of changes that are handed to a listener at once. */
	private static final int ROW = 64;

	private final Handlers<T> handlers;

	private final Deque<Change<T>> changes = new ArrayDeque<>();

	/**
	 * The objects with which an empty mirror was filled; they come before the changes.
	 */
	private @Nullable InitialObjects<T> initial;

	/** The number of changes here; other threads read it, too. */
	private volatile int size;

	/** The number of the last change that was handed out. */
	private long handedOut;

	/** The row of changes for which some listeners had no room. */
	private @Nullable Late<T> late;

	public PendingChanges(Handlers<T> handlers) {
		this.handlers = handlers;
	}

	/**
	 * Starts a new run: changes that were numbered before are no longer handed out.
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
		return this.changes.isEmpty() && this.initial == null && this.late == null;
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
	 * Visits everything that is here, without handing it out.
	 * @param object called with each object with which an empty mirror was filled
	 * @param change called with each change after that
	 */
	public void forEach(BiConsumer<ResourceKey, T> object, Consumer<Change<T>> change) {
		InitialObjects<T> initial = this.initial;
		if (initial != null) {
			initial.entries().forEach((entry) -> object.accept(entry.getKey(), entry.getValue()));
		}
		this.changes.forEach(change);
	}

	/**
	 * Adds everything to the queues of the listeners. Waits while a listener has no room.
	 */
	public void handOut() {
		InitialObjects<T> initial = this.initial;
		if (initial != null) {
			this.initial = null;
			this.handedOut += initial.size();
			this.handlers.fill(initial, this.handedOut);
			this.size = this.changes.size();
		}
		while (!handOutUnlessFull()) {
			awaitRoom();
		}
	}

	/**
	 * Adds changes to the queues of the listeners, as long as all of these have room.
	 * @return whether all changes were added; {@link #handOut()} adds the rest
	 */
	public boolean handOutUnlessFull() {
		while (this.late == null && !this.changes.isEmpty()) {
			List<Change<T>> row = nextRow();
			List<ProcessorListener<T>> full = this.handlers.offer(row, this.handedOut + 1);
			if (full.isEmpty()) {
				handedOut(row.size());
			}
			else {
				this.late = new Late<>(row, full);
			}
		}
		return this.late == null;
	}

	private void handedOut(int changes) {
		this.handedOut += changes;
		this.size = this.changes.size();
	}

	private List<Change<T>> nextRow() {
		List<Change<T>> row = new ArrayList<>(Math.min(ROW, this.changes.size()));
		Change<T> change;
		while (row.size() < ROW && (change = this.changes.poll()) != null) {
			row.add(change);
		}
		return row;
	}

	private void awaitRoom() {
		Late<T> late = this.late;
		if (late == null) {
			return;
		}
		long number = this.handedOut;
		int left = late.row().size();
		for (Change<T> change : late.row()) {
			number++;
			for (ProcessorListener<T> listener : late.full()) {
				listener.add(change, number);
			}
			this.size = this.changes.size() + --left;
		}
		this.late = null;
		handedOut(late.row().size());
	}

	/** Returns how many changes are here or wait for room in the queue of a listener. */
	public int size() {
		return this.size;
	}

	/**
	 * Changes that not all listeners had room for.
	 *
	 * @param row changes in their order
	 * @param full the listeners without room
	 */
	private record Late<T>(List<Change<T>> row, List<ProcessorListener<T>> full) {

	}

}
