package dev.reflector.cache.handler;

import java.util.function.Predicate;

import dev.reflector.ReflectorState;
import dev.reflector.cache.config.DeliverySettings;
import dev.reflector.cache.config.QueueSettings;

/**
 * Receives the changes of a mirror, one at a time and in order, on a thread of its own
 * that does no I/O. With a {@link DeliverySettings#concurrency() concurrency} of more
 * than one it has as many threads: changes of one object still come in order and one at a
 * time, those of different objects at the same time, so it must be thread-safe. An
 * exception is counted and logged and does not stop the mirror. A slow handler fills its
 * bounded queue; then changes of one object are merged, unless
 * {@link QueueSettings.Overflow} says otherwise, and when that is not enough the watch is
 * slowed down. What a handler adds up is the same in the end.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public interface ResourceEventHandler<T> {

	/**
	 * A handler of the objects that pass a filter (rule I-54), as if there were no
	 * others: an update by which an object begins to pass is an addition that is not of
	 * the initial list; one by which it ceases to pass is the deletion of its previous
	 * state, with the version of the update. A deletion is told when the last state that
	 * was told before it passes. Everything else that a handler is told goes through.
	 * @param <T> the type of the objects
	 * @param filter tells whether an object passes; called on the handler's thread, more
	 * than once for the same object, so its answer must depend on that object only. When
	 * it throws, the handler has failed on the change
	 * @param handler the handler
	 * @return a handler to be added in its place, any number of times
	 */
	static <T> ResourceEventHandler<T> filtered(Predicate<? super T> filter, ResourceEventHandler<T> handler) {
		return new FilteringEventHandler<>(filter, handler);
	}

	/**
	 * Its name in the log, and where operators see which listener is slow. By default,
	 * that of its class.
	 * @return the name, for people
	 */
	default String name() {
		return getClass().getName();
	}

	/**
	 * Handles a change. The mirror has already been updated.
	 * @param change the change
	 */
	void onChange(Change<T> change);

	/**
	 * Handles a change, maybe in several attempts. This is what a reflector calls. To be
	 * overridden by who tries again by himself, and by who hands on to another handler.
	 * By default, a change is {@link #onChange(Change) handled} in one attempt.
	 * @param change the change
	 * @param attempts to be told of the attempts, when there are several
	 */
	default void onChange(Change<T> change, DeliveryAttempts attempts) {
		onChange(change);
	}

	/**
	 * Called before anything is told, when the reflector starts or when the handler joins
	 * one that runs. Must be fast.
	 */
	default void onStart() {
	}

	/**
	 * Called when the reflector begins to stop or the handler is removed, on the thread
	 * that does so and maybe during another call: who waits for something is to give up
	 * waiting. Must be fast. Other calls may follow.
	 */
	default void onStop() {
	}

	/**
	 * Called once after each start of the reflector, or after the handler has joined,
	 * when all changes of the first list have been handled. With several threads, changes
	 * that came later may have been handled before.
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
