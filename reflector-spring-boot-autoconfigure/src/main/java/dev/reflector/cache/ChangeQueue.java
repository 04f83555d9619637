package dev.reflector.cache;

import java.util.HashMap;
import java.util.Map;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * What waits for a handler, in order. Knows how to merge a change into one of the same
 * object that waits (E-09), so that a listener which adds up what it hears comes to the
 * same result. The index that this takes exists only from the moment the queue was full
 * until half of it is gone. Guarded by its owner.
 *
 * @param <T> the type of the objects
 */
final class ChangeQueue<T> {

	private final int capacity;

	/** Before the first and after the last. */
	private final Node<T> ends = new Node<>(null);

	private int changes;

	/** The last waiting change of each object. */
	private @Nullable Map<ResourceKey, Node<T>> last;

	ChangeQueue(int capacity) {
		this.capacity = capacity;
	}

	boolean isEmpty() {
		return this.ends.next == this.ends;
	}

	boolean isFull() {
		return this.changes >= this.capacity;
	}

	/** Number of changes: other notifications do not count. */
	int changes() {
		return this.changes;
	}

	/** Whether what is next is about an object. */
	boolean beginsWithChange() {
		Notification<T> first = this.ends.next.content;
		return first != null && first.isChange();
	}

	void add(Notification<T> notification) {
		Node<T> node = new Node<>(notification);
		node.previous = this.ends.previous;
		node.next = this.ends;
		this.ends.previous.next = node;
		this.ends.previous = node;
		if (notification instanceof Notification.Changed<T> changed) {
			this.changes++;
			if (this.last != null) {
				this.last.put(changed.change().key(), node);
			}
		}
	}

	/** Takes what is next. Must not be called when there is nothing. */
	Notification<T> remove() {
		Node<T> node = this.ends.next;
		Notification<T> notification = node.content;
		if (notification == null) {
			throw new IllegalStateException("nothing waits");
		}
		unlink(node);
		return notification;
	}

	private void unlink(Node<T> node) {
		node.previous.next = node.next;
		node.next.previous = node.previous;
		if (node.content instanceof Notification.Changed<T> changed) {
			this.changes--;
			if (this.last != null) {
				this.last.remove(changed.change().key(), node);
			}
			if (this.changes <= this.capacity / 2) {
				this.last = null;
			}
		}
	}

	void clear() {
		this.ends.next = this.ends;
		this.ends.previous = this.ends;
		this.changes = 0;
		this.last = null;
	}

	/**
	 * Merges a change into the last one of the same object that waits.
	 * @param change the change
	 * @return whether it needs no place any more
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
		if (waiting.type() == Change.Type.DELETED || change.type() == Change.Type.ADDED) {
			return false;
		}
		if (change.type() == Change.Type.UPDATED) {
			node.content = new Notification.Changed<>(updated(waiting, change));
		}
		else if (waiting.type() == Change.Type.UPDATED) {
			node.content = new Notification.Changed<>(change);
		}
		else {
			// nobody has heard of it: it comes and goes unheard
			unlink(node);
		}
		return true;
	}

	private static <T> Change<T> updated(Change<T> waiting, Change<T> change) {
		boolean added = waiting.type() == Change.Type.ADDED;
		return new Change<>(waiting.type(), change.key(), change.object(), waiting.previous(), change.resourceVersion(),
				waiting.initialList(), false, added ? waiting.cause() : change.cause());
	}

	private Map<ResourceKey, Node<T>> index() {
		Map<ResourceKey, Node<T>> index = this.last;
		if (index == null) {
			index = new HashMap<>();
			for (Node<T> node = this.ends.next; node != this.ends; node = node.next) {
				if (node.content instanceof Notification.Changed<T> changed) {
					index.put(changed.change().key(), node);
				}
			}
			this.last = index;
		}
		return index;
	}

	/** A place in the queue. */
	private static final class Node<T> {

		private @Nullable Notification<T> content;

		private Node<T> previous = this;

		private Node<T> next = this;

		Node(@Nullable Notification<T> content) {
			this.content = content;
		}

	}

}
