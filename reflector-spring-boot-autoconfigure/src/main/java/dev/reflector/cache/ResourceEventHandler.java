package dev.reflector.cache;

import dev.reflector.ReflectorState;

/**
 * Receives the changes of a mirror, one at a time and in order, on a thread of its own
 * that does no I/O. An exception is counted and logged and does not stop the mirror. A
 * slow handler fills its bounded queue; then changes of one object are merged, unless
 * {@link ReflectorOptions.Overflow} says otherwise, and when that is not enough the watch
 * is slowed down. What a handler adds up is the same in the end.
 *
 * @param <T> the type of the objects
 */
public interface ResourceEventHandler<T> {

	/**
	 * Handles a change. The mirror has already been updated.
	 * @param change the change
	 */
	void onChange(Change<T> change);

	/**
	 * Called once after each start of the reflector, or after the handler has joined,
	 * when all changes of the first list have been handled.
	 * @param resourceVersion version of the mirror at that moment: of the first list, or
	 * of its newest object where the queue accumulates by key
	 */
	default void onSynced(String resourceVersion) {
	}

	/**
	 * Called when a pass has ended, so that the full state is to be got again (rules
	 * While the handler is slow, some may be left out.
	 * @param reason why, from a closed set
	 * @param message what has happened, for a person
	 */
	default void onPassEnd(PassEnd reason, String message) {
	}

	/**
	 * Called after the reflector has changed its state. Between two calls states may be
	 * left out while the handler is slow.
	 * @param previous the state before
	 * @param state the state after
	 * @param reason why, for a person
	 */
	default void onStateChange(ReflectorState previous, ReflectorState state, String reason) {
	}

}
