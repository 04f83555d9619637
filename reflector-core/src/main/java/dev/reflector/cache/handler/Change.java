package dev.reflector.cache.handler;

import dev.reflector.PrintableText;
import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * A change of the mirror, as it is delivered to listeners.
 *
 * @param <T> the type of the objects
 * @param type what happened
 * @param key key of the object
 * @param object the object after the change; for a deletion its last known state
 * @param previous the state of the object that the receiver had before an update or a
 * deletion, {@code null} for an addition
 * @param resourceVersion version of the object
 * @param initialList whether it belongs to the first list after the start, or to the
 * objects that a handler receives when it joins later
 * @param finalStateUnknown for a deletion: there was no event for it. A list, or an event
 * about another object of the same name, has shown that the object is gone, and
 * {@code object} is its last state in the mirror
 * @param cause how the change was learned
 * @param ownership by what right this replica delivers it, when several divide the
 * objects among them; otherwise {@code null}
 * @since 0.1.0
 */
public record Change<T>(Type type, ResourceKey key, T object, @Nullable T previous, String resourceVersion,
		boolean initialList, boolean finalStateUnknown, Cause cause, @Nullable Ownership ownership) {

	/**
	 * A change that is delivered by right of no slot.
	 * @param type what happened
	 * @param key key of the object
	 * @param object the object
	 * @param previous the state before, {@code null} for an addition
	 * @param resourceVersion version of the object
	 * @param initialList whether it belongs to the first list
	 * @param finalStateUnknown whether there was no event for a deletion
	 * @param cause how the change was learned
	 */
	public Change(Type type, ResourceKey key, T object, @Nullable T previous, String resourceVersion,
			boolean initialList, boolean finalStateUnknown, Cause cause) {
		this(type, key, object, previous, resourceVersion, initialList, finalStateUnknown, cause, null);
	}

	/**
	 * The same change, delivered by a right.
	 * @param ownership the right
	 * @return the change
	 */
	public Change<T> by(Ownership ownership) {
		return new Change<>(this.type, this.key, this.object, this.previous, this.resourceVersion, this.initialList,
				this.finalStateUnknown, this.cause, ownership);
	}

	/** Without any content of the object. */
	@Override
	public String toString() {
		return PrintableText
			.of("Change[" + this.type + " " + this.key + " @ " + this.resourceVersion + ", cause " + this.cause + "]");
	}

	/** What happened. */
	public enum Type {

		/** The object appeared in the mirror. */
		ADDED,

		/** The object changed in the mirror. */
		UPDATED,

		/** The object left the mirror. */
		DELETED

	}

	/** How a change was learned. */
	public enum Cause {

		/** From an event of a watch. */
		WATCH,

		/**
		 * From the difference between a list and the mirror, or from the mirror itself.
		 */
		LIST,

		/**
		 * From the difference between the first list and a snapshot: it has happened
		 * while the reflector did not run.
		 */
		RECOVERED,

		/** From a resync: nothing has changed. */
		RESYNC

	}

}
