package dev.reflector.cache.handler;

import dev.reflector.PrintableText;
import dev.reflector.ResourceKey;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * A change of the mirror, as it is delivered to listeners.
 *
 * @param <T> the type of the objects
 * @param type what happened
 * @param key key of the object
 * @param object the object after the change; for a deletion its last known state. Only
 * the deletion of an object of {@link #contentUnknown() unknown content} has none
 * @param previous the state of the object that the receiver had before an update or a
 * deletion, {@code null} for an addition
 * @param resourceVersion version of the object
 * @param initialList whether it belongs to the first list after the start, or to the
 * objects that a handler receives when it joins later
 * @param finalStateUnknown for a deletion: there was no event for it. A list, or an event
 * about another object of the same name, has shown that the object is gone, and
 * {@code object} is its last state in the mirror
 * @param cause how the change was learned
 * @param ownership the slot and epoch by which this replica delivers it, when only the
 * leader of several replicas delivers, or they divide the objects among them; otherwise
 * {@code null}
 * @param storedUid uid of an object of {@link #contentUnknown() unknown content}, empty
 * when it has none; otherwise {@code null}
 * @since 0.1.0
 */
public record Change<T>(Type type, ResourceKey key, @Nullable T object, @Nullable T previous, String resourceVersion,
		boolean initialList, boolean finalStateUnknown, Cause cause, @Nullable Ownership ownership,
		@Nullable String storedUid) {

	/**
	 * Creates a change that is delivered without a slot.
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
		this(type, key, object, previous, resourceVersion, initialList, finalStateUnknown, cause, null, null);
	}

	/**
	 * Creates the deletion of an object whose content in a snapshot cannot be read.
	 * @param <T> the type of the objects
	 * @param key key of the object
	 * @param uid uid of the object, empty when it has none
	 * @param resourceVersion version of the object
	 * @param cause how the change was learned
	 * @return the change
	 */
	public static <T> Change<T> ofUnknownContent(ResourceKey key, String uid, String resourceVersion, Cause cause) {
		return new Change<>(Type.DELETED, key, null, null, resourceVersion, false, true, cause, null, uid);
	}

	/**
	 * The object after the change; for a deletion its last known state.
	 * @return the object
	 * @throws ContentUnknownException when its content is not known: check
	 * {@link #contentUnknown()} first
	 */
	@Override
	public T object() {
		T object = this.object;
		if (object == null) {
			throw new ContentUnknownException(this.key);
		}
		return object;
	}

	/**
	 * Whether this is the deletion of an object of which only key, uid and version are
	 * known. Then {@link #object()} throws. The snapshot did not have the content in a
	 * readable form: it was written for an earlier declaration of the type, or it could
	 * not be written at all.
	 * @return whether the content is unknown
	 */
	public boolean contentUnknown() {
		return this.object == null;
	}

	/**
	 * Uid of the object, also when its content is not known.
	 * @param accessor reads metadata
	 * @return the uid, empty when it has none
	 */
	public String uid(ResourceAccessor<T> accessor) {
		String storedUid = this.storedUid;
		return (storedUid != null) ? storedUid : accessor.uid(object());
	}

	/**
	 * Returns this change with an ownership.
	 * @param ownership the slot and epoch by which this replica delivers it
	 * @return the change
	 */
	public Change<T> by(Ownership ownership) {
		return new Change<>(this.type, this.key, this.object, this.previous, this.resourceVersion, this.initialList,
				this.finalStateUnknown, this.cause, ownership, this.storedUid);
	}

	/** Returns a text that has no content of the object. */
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
		 * From the difference between the first list and a snapshot: the change happened
		 * while the reflector did not run.
		 */
		RECOVERED,

		/** From a resync: nothing has changed. */
		RESYNC

	}

}
