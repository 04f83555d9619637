package dev.reflector.cache.handler;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

import dev.reflector.ReflectorState;
import dev.reflector.cache.config.DeliverySettings;
import dev.reflector.cache.config.QueueSettings;

/**
 * Receives the changes of a mirror, one at a time and in order, on its own thread. The
 * thread does no I/O for the reflector, so a handler may block. With a
 * {@link DeliverySettings#concurrency() concurrency} of more than one, the handler is
 * called on that many threads. Changes of one object are still delivered in order and one
 * at a time, but changes of different objects are delivered at the same time, so the
 * handler must be thread-safe. Exceptions are counted and logged, and do not stop the
 * mirror. By default, if the bounded queue of a slow handler is full, changes of the same
 * object are merged (see {@link QueueSettings.Overflow}). Merged changes lead to the same
 * final state. If merging is not enough, the watch slows down.
 *
 * <pre class="code">
 * &#064;Component
 * class Replicas implements ResourceEventHandler&lt;Deployment&gt; {
 *
 *     &#064;Override
 *     public void onChange(Change&lt;Deployment&gt; change) {
 *         System.out.println(change.key() + " " + change.type());
 *     }
 *
 * }
 * </pre>
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public interface ResourceEventHandler<T> {

	/**
	 * Creates a handler that passes on only the changes of objects that pass a filter, as
	 * if there were no other objects. If an object passes the filter after an update but
	 * not before, the update becomes an addition that is not part of the initial list. If
	 * an object passes before an update but not after, the update becomes the deletion of
	 * the previous state, with the version of the update. A deletion is passed on if the
	 * previous state passed. Calls that are not about an object are always passed on.
	 * @param <T> the type of the objects
	 * @param filter decides whether an object passes; called on the handler's thread, and
	 * more than once for the same object, so the result must depend only on the object.
	 * When the filter throws, the handler fails on the change
	 * @param handler the handler
	 * @return the filtering handler. Add this handler instead of the given one; it may be
	 * added any number of times
	 */
	static <T> ResourceEventHandler<T> filtered(Predicate<? super T> filter, ResourceEventHandler<T> handler) {
		return new FilteringEventHandler<>(filter, handler);
	}

	/**
	 * Returns the name of this handler in logs and in reports of slow listeners. By
	 * default, the name of its class. Called when the handler is added, and not during
	 * deliveries. If this method throws an exception, the handler is not added, and the
	 * caller receives the exception.
	 * @return the name
	 */
	default String name() {
		return getClass().getName();
	}

	/**
	 * Handles a change. The mirror already contains the change.
	 * @param change the change
	 */
	void onChange(Change<T> change);

	/**
	 * Handles a change, possibly in several attempts. This is the method that a reflector
	 * calls. Override it in a handler that repeats failed attempts itself, or that calls
	 * another handler. By default, a change is {@link #onChange(Change) handled} in one
	 * attempt.
	 * @param change the change
	 * @param attempts receives each attempt, if there are several
	 */
	default void onChange(Change<T> change, DeliveryAttempts attempts) {
		onChange(change);
	}

	/**
	 * Returns a stage that completes when the work for all changes delivered so far is
	 * done. Override this method in a handler whose work continues after
	 * {@link #onChange(Change)} has returned. A durable mirror then counts a change as
	 * completed when the stage completes, not when the call returns. This method is
	 * called between two calls of the handler, on the handler's thread. When the
	 * reflector becomes a standby or gives up a slot, this method may be called on
	 * another thread. Must be fast.
	 * @return the stage; it completes exceptionally when part of the work has failed
	 * permanently. By default, a completed stage
	 */
	default CompletionStage<Void> completed() {
		return CompletableFuture.completedFuture(null);
	}

	/**
	 * Called before any other call, when the reflector starts or when the handler is
	 * added to a running reflector. Must be fast.
	 */
	default void onStart() {
	}

	/**
	 * Called when the reflector begins to stop or the handler is removed, on the thread
	 * that stops the reflector or removes the handler, possibly during another call of
	 * the handler. A handler that waits for something should stop waiting. Must be fast.
	 * Other calls may follow.
	 */
	default void onStop() {
	}

	/**
	 * Called once after each start of the reflector, or after the handler was added to a
	 * running one, when all changes of the first list have been handled. With several
	 * threads, some later changes may already have been handled, too.
	 * @param resourceVersion the version of the mirror at that moment. After a start,
	 * this is the version of the first list; with {@link QueueSettings.Ordering#PER_KEY},
	 * the version of the newest object
	 */
	default void onSynced(String resourceVersion) {
	}

	/**
	 * Called when a pass (a full state and the watch after it) has ended. The full state
	 * will be requested again after a delay. While the handler is slow, some calls may be
	 * left out.
	 * @param reason why the pass has ended
	 * @param message describes what has happened, human-readable
	 */
	default void onRelist(RelistReason reason, String message) {
	}

	/**
	 * Called after the state of the reflector has changed. While the handler is slow,
	 * some states may be left out.
	 * @param previous the state before the change
	 * @param state the state after the change
	 * @param reason why the state has changed, human-readable
	 */
	default void onStateChange(ReflectorState previous, ReflectorState state, String reason) {
	}

}
