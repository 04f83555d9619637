package dev.reflector.cache.handler;

import dev.reflector.PrintableText;
import dev.reflector.ResourceKey;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * A change of the mirror that is delivered to listeners.
 *
 * @param <T> the type of the objects
 * @param type what happened
 * @param key key of the object
 * @param object the object after the change; for a deletion, its last known state.
 * {@code null} only for the deletion of an object of {@link #contentUnknown() unknown
 * content}
 * @param previous the previous state that the listener has received; {@code null} for an
 * addition
 * @param resourceVersion version of the object
 * @param initialList whether the change belongs to the first list after the start, or to
 * the objects that a handler receives first when the handler is added later
 * @param finalStateUnknown whether the deletion was found without a deletion event: a
 * list, or an event about another object of the same name, has shown that the object no
 * longer exists. {@code object} is then its last state in the mirror
 * @param cause how the reflector found the change
 * @param ownership the ownership under which this replica delivers the change, if several
 * replicas divide the objects among themselves or only their leader delivers; otherwise
 * {@code null}
 * @param storedUid uid of an object of {@link #contentUnknown() unknown content}, empty
 * when the object has none; {@code null} if the content is known
 * @since 0.1.0
 */
public record Change<T>(Type type, ResourceKey key, @Nullable T object, @Nullable T previous, String resourceVersion,
		boolean initialList, boolean finalStateUnknown, Cause cause, @Nullable Ownership ownership,
		@Nullable String storedUid) {

	/**
	 * Creates a change without an ownership.
	 * @param type what happened
	 * @param key key of the object
	 * @param object the object after the change
	 * @param previous the state before the change, {@code null} for an addition
	 * @param resourceVersion version of the object
	 * @param initialList whether the change belongs to the first list
	 * @param finalStateUnknown whether there was no event for a deletion
	 * @param cause how the reflector found the change
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
	 * @param cause how the reflector found the change
	 * @return the deletion
	 */
	public static <T> Change<T> ofUnknownContent(ResourceKey key, String uid, String resourceVersion, Cause cause) {
		return new Change<>(Type.DELETED, key, null, null, resourceVersion, false, true, cause, null, uid);
	}

	/**
	 * Returns the object after the change; for a deletion, its last known state.
	 * @return the object
	 * @throws ContentUnknownException when the content of the object is not known: check
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
	 * Whether this is the deletion of an object whose content is not known. Then only
	 * key, uid and version are known, and {@link #object()} throws. The reason is that
	 * the snapshot has no readable content: the content was written for an earlier
	 * declaration of the type, or could not be written at all.
	 * @return whether the content is unknown
	 */
	public boolean contentUnknown() {
		return this.object == null;
	}

	/**
	 * Returns the uid of the object, even when its content is not known.
	 * @param accessor reads the metadata of the object
	 * @return the uid, empty when the object has none
	 */
	public String uid(ResourceAccessor<T> accessor) {
		String storedUid = this.storedUid;
		return (storedUid != null) ? storedUid : accessor.uid(object());
	}

	/**
	 * Returns a copy of this change with an ownership.
	 * @param ownership the ownership under which this replica delivers the change
	 * @return the copy
	 */
	public Change<T> by(Ownership ownership) {
		return new Change<>(this.type, this.key, this.object, this.previous, this.resourceVersion, this.initialList,
				this.finalStateUnknown, this.cause, ownership, this.storedUid);
	}

	/** Returns a text without any content of the object. */
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

	/** How the reflector found a change. */
	public enum Cause {

		/** By an event of a watch. */
		WATCH,

		/**
		 * By comparing a list with the mirror. Also used for the objects of the mirror
		 * that a new handler receives first.
		 */
		LIST,

		/**
		 * By comparing the first list with a snapshot: the change happened while the
		 * reflector did not run.
		 */
		RECOVERED,

		/** By a resync, which delivers objects again that have not changed. */
		RESYNC

	}

}
