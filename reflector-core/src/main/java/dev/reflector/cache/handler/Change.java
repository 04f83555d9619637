package dev.reflector.cache.handler;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * A change of the mirror, as it is delivered to listeners.
 *
 * @param <T> the type of the objects
 * @param type what happened
 * @param key key of the object
 * @param object the object after the change; of a deletion its last known state
 * @param previous what the receiver knew of the object before an update or a deletion,
 * {@code null} of an addition
 * @param resourceVersion version of the object
 * @param initialList whether it belongs to the first list after the start, or to what a
 * handler that joined later begins with (rule I-22)
 * @param finalStateUnknown for a deletion: nobody saw it happen, a list told that the
 * object is gone, or an event about another object of the same name did; the object is
 * the last state known here (rule D-02)
 * @param cause how the change was learned
 * @since 0.1.0
 */
public record Change<T>(Type type, ResourceKey key, T object, @Nullable T previous, String resourceVersion,
		boolean initialList, boolean finalStateUnknown, Cause cause) {

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
