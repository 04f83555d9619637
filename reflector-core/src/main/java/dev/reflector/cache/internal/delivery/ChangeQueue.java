package dev.reflector.cache.internal.delivery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BiPredicate;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.internal.store.InitialObjects;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * The queued notifications of a handler, in order. The initial objects of a handler are
 * read from a snapshot of the mirror one by one as they are taken, and do not count
 * towards the capacity. A change can be merged into a queued change of the same object
 * (E-09). A listener that accumulates changes, such as a counter, gets the same result
 * with and without merging. The index for merging is built when the queue is full, and
 * dropped when half of the queue has been delivered. Guarded by the lock of its owner.
 *
 * @param <T> the type of the objects
 */
final class ChangeQueue<T> {

	/**
	 * The capacity for notifications that are not changes. Adding them never waits. If
	 * the capacity is used up, further state changes are merged into one, so that the
	 * last state is always delivered.
	 */
	private static final int NOTES = 64;

	private final ResourceAccessor<T> accessor;

	private final int capacity;

	/** Marks the ends of the list: the node before the first and after the last one. */
	private final Node<T> ends = new Node<>(null, null, false);

	private int changes;

	/**
	 * The number of initial objects that were not taken yet. They do not count towards
	 * the capacity.
	 */
	private int stored;

	private int notes;

	private Notification.@Nullable StateChanged<T> mergedNote;

	/**
	 * The last queued change of each object, or {@code null} if this index is not built.
	 */
	private @Nullable Map<ResourceKey, Node<T>> last;

	ChangeQueue(ResourceAccessor<T> accessor, int capacity) {
		this.accessor = accessor;
		this.capacity = capacity;
	}

	boolean isEmpty() {
		return this.ends.next == this.ends;
	}

	boolean isFull() {
		return this.changes >= this.capacity;
	}

	/**
	 * Returns the number of queued changes and initial objects, without other
	 * notifications.
	 */
	int changes() {
		return this.changes + this.stored;
	}

	/** Whether the next notification is about an object. */
	boolean beginsWithChange() {
		return this.ends.next.change;
	}

	/** Adds initial objects, even if the queue is full. */
	void add(InitialObjects<T> initial) {
		Iterator<Map.Entry<ResourceKey, T>> entries = initial.entries().iterator();
		if (entries.hasNext()) {
			this.stored += initial.size();
			append(new Node<>(null, entries, true));
		}
	}

	void add(Change<T> change) {
		Node<T> node = append(new Node<>(new Notification.Changed<>(change), null, true));
		this.changes++;
		if (this.last != null) {
			this.last.put(change.key(), node);
		}
	}

	/**
	 * Puts back a notification that was taken, so that it is delivered again. Later
	 * changes are not merged into this notification, because the handler may have seen
	 * it.
	 */
	void putBack(Notification<T> told) {
		Node<T> node = new Node<>(told, null, true);
		node.heard = true;
		node.next = this.ends.next;
		node.previous = this.ends;
		this.ends.next.previous = node;
		this.ends.next = node;
		if (told instanceof Notification.Changed) {
			this.changes++;
		}
		else {
			this.stored++;
		}
	}

	void addNote(Notification<T> note) {
		if (note instanceof Notification.StateChanged<T> changed && (this.mergedNote != null || this.notes >= NOTES)) {
			this.mergedNote = (this.mergedNote != null) ? this.mergedNote.then(changed) : changed;
			return;
		}
		if (note instanceof Notification.PassEnded && this.notes >= NOTES) {
			// dropped, because a handler that is so far behind does not need more such
			// notifications
			return;
		}
		this.notes++;
		append(new Node<>(note, null, false));
	}

	private Node<T> append(Node<T> node) {
		node.previous = this.ends.previous;
		node.next = this.ends;
		this.ends.previous.next = node;
		this.ends.previous = node;
		return node;
	}

	/** Takes the next notification. Must not be called when the queue is empty. */
	Notification<T> remove() {
		Node<T> node = this.ends.next;
		if (node.initial != null) {
			return removeStored(node, node.initial);
		}
		Notification<T> notification = node.content;
		if (notification == null) {
			throw new IllegalStateException("nothing waits");
		}
		unlink(node);
		return notification;
	}

	private Notification<T> removeStored(Node<T> node, Iterator<Map.Entry<ResourceKey, T>> initial) {
		Map.Entry<ResourceKey, T> entry = initial.next();
		this.stored--;
		if (!initial.hasNext()) {
			node.leave();
		}
		return new Notification.Stored<>(entry.getKey(), entry.getValue(), this.accessor, null);
	}

	private void unlink(Node<T> node) {
		node.leave();
		if (node.content instanceof Notification.Stored) {
			this.stored--;
			return;
		}
		if (node.content instanceof Notification.Changed<T> changed) {
			this.changes--;
			if (this.last != null) {
				this.last.remove(changed.change().key(), node);
			}
			if (this.changes <= this.capacity / 2) {
				this.last = null;
			}
			return;
		}
		this.notes--;
		if (this.mergedNote != null) {
			append(new Node<>(this.mergedNote, null, false));
			this.notes++;
			this.mergedNote = null;
		}
	}

	void clear() {
		for (Node<T> node = this.ends.next; node != this.ends; node = node.next) {
			if (node.content instanceof Notification.Passed<T> passed) {
				passed.reached().completeExceptionally(new CancellationException("the queued changes were dropped"));
			}
		}
		this.ends.next = this.ends;
		this.ends.previous = this.ends;
		this.stored = 0;
		this.changes = 0;
		this.notes = 0;
		this.mergedNote = null;
		this.last = null;
	}

	/**
	 * Drops the queued changes of some objects, such as the objects of a released slot.
	 */
	void removeIf(BiPredicate<ResourceKey, String> dropped) {
		for (Node<T> node = this.ends.next; node != this.ends; node = node.next) {
			if (node.initial != null) {
				removeStored(node, node.initial, dropped);
			}
			else if (node.content != null) {
				ResourceKey key = node.content.key();
				if (key != null && dropped.test(key, node.content.uid(this.accessor))) {
					unlink(node);
				}
			}
		}
	}

	private void removeStored(Node<T> node, Iterator<Map.Entry<ResourceKey, T>> initial,
			BiPredicate<ResourceKey, String> dropped) {
		List<Map.Entry<ResourceKey, T>> left = new ArrayList<>();
		while (initial.hasNext()) {
			Map.Entry<ResourceKey, T> entry = initial.next();
			if (dropped.test(entry.getKey(), this.accessor.uid(entry.getValue()))) {
				this.stored--;
			}
			else {
				left.add(entry);
			}
		}
		node.initial = left.iterator();
		if (left.isEmpty()) {
			node.leave();
		}
	}

	/**
	 * Merges a change into the last queued change of the same object.
	 * @param change the change
	 * @return whether the change was merged, so that it need not be added
	 */
	boolean merge(Change<T> change) {
		Node<T> node = index().get(change.key());
		if (node == null || !(node.content instanceof Notification.Changed<T> changed)) {
			return false;
		}
		Change<T> waiting = changed.change();
		if (change.cause() == Change.Cause.RESYNC) {
			return true;
		}
		if (waiting.type() == Change.Type.DELETED || change.type() == Change.Type.ADDED || change.contentUnknown()) {
			return false;
		}
		if (change.type() == Change.Type.UPDATED) {
			node.content = new Notification.Changed<>(updated(waiting, change));
		}
		else if (waiting.type() == Change.Type.UPDATED) {
			node.content = new Notification.Changed<>(deleted(waiting, change));
		}
		else {
			// the handler has not seen the object: neither addition nor deletion is
			// delivered
			unlink(node);
		}
		return true;
	}

	private static <T> Change<T> updated(Change<T> waiting, Change<T> change) {
		boolean added = waiting.type() == Change.Type.ADDED;
		return new Change<>(waiting.type(), change.key(), change.object(), waiting.previous(), change.resourceVersion(),
				waiting.initialList(), false, added ? waiting.cause() : change.cause());
	}

	private static <T> Change<T> deleted(Change<T> waiting, Change<T> change) {
		return new Change<>(change.type(), change.key(), change.object(), waiting.previous(), change.resourceVersion(),
				false, change.finalStateUnknown(), change.cause());
	}

	private Map<ResourceKey, Node<T>> index() {
		Map<ResourceKey, Node<T>> index = this.last;
		if (index == null) {
			index = new HashMap<>();
			for (Node<T> node = this.ends.next; node != this.ends; node = node.next) {
				if (!node.heard && node.content instanceof Notification.Changed<T> changed) {
					index.put(changed.change().key(), node);
				}
			}
			this.last = index;
		}
		return index;
	}

	/** A node of the linked list. It contains one notification, or initial objects. */
	private static final class Node<T> {

		private @Nullable Notification<T> content;

		/**
		 * The remaining initial objects, if this node represents initial objects instead
		 * of one notification.
		 */
		private @Nullable Iterator<Map.Entry<ResourceKey, T>> initial;

		/**
		 * Whether the notification is about an object. Stored in this field because it is
		 * needed often.
		 */
		private final boolean change;

		/** Whether the notification was taken before and put back. */
		private boolean heard;

		private Node<T> previous = this;

		private Node<T> next = this;

		Node(@Nullable Notification<T> content, @Nullable Iterator<Map.Entry<ResourceKey, T>> initial, boolean change) {
			this.content = content;
			this.initial = initial;
			this.change = change;
		}

		void leave() {
			this.previous.next = this.next;
			this.next.previous = this.previous;
		}

	}

}
