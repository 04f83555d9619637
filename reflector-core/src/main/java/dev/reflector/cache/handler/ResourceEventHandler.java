package dev.reflector.cache.handler;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

import dev.reflector.ReflectorState;
import dev.reflector.cache.config.DeliverySettings;
import dev.reflector.cache.config.QueueSettings;

/**
 * Receives the changes of a mirror, one at a time and in order, on its own thread, which
 * no I/O depends on. With a {@link DeliverySettings#concurrency() concurrency} of more
 * than one, it is called on as many threads. Changes of one object still come in order
 * and one at a time, but changes of different objects come at the same time, so the
 * handler must be thread-safe. An exception is counted and logged and does not stop the
 * mirror. A slow handler fills its bounded queue. Then changes of one object are merged,
 * unless {@link QueueSettings.Overflow} says otherwise. When that is not enough, the
 * watch is slowed down. Merged changes lead to the same final state.
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
	 * Creates a handler that passes on only objects that pass a filter, as if there were
	 * no others. An update after which an object passes for the first time becomes an
	 * addition that is not part of the initial list. An update after which it no longer
	 * passes becomes the deletion of its previous state, with the version of the update.
	 * A deletion is passed on when the previous state passed. Calls that are not about an
	 * object are passed on.
	 * @param <T> the type of the objects
	 * @param filter decides whether an object passes; called on the handler's thread,
	 * more than once for the same object, so its answer must depend on that object only.
	 * When it throws, the handler has failed on the change
	 * @param handler the handler
	 * @return the filtering handler, to be added instead of the given one, any number of
	 * times
	 */
	static <T> ResourceEventHandler<T> filtered(Predicate<? super T> filter, ResourceEventHandler<T> handler) {
		return new FilteringEventHandler<>(filter, handler);
	}

	/**
	 * The name in logs and in reports of slow listeners. By default the name of its
	 * class.
	 * @return the name
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
	 * Handles a change, maybe in several attempts. This is the method that a reflector
	 * calls. Override it in a handler that makes its own attempts, or that calls another
	 * handler. By default, a change is {@link #onChange(Change) handled} in one attempt.
	 * @param change the change
	 * @param attempts receives the attempts, if there are several
	 */
	default void onChange(Change<T> change, DeliveryAttempts attempts) {
		onChange(change);
	}

	/**
	 * Returns a stage that completes when the work of all calls that have returned until
	 * now is done. Override it in a handler that only begins its work in
	 * {@link #onChange(Change)} and finishes it later. A durable mirror then counts a
	 * change as completed when the stage completes, not when the call returns. Called
	 * between two calls, on the thread of the handler or, when the reflector becomes a
	 * standby or gives up a slot, on another one. Must be fast.
	 * @return completes when that work is done, exceptionally when some of it has failed
	 * for good; by default it is complete
	 */
	default CompletionStage<Void> completed() {
		return CompletableFuture.completedFuture(null);
	}

	/**
	 * Called before any other call, when the reflector starts or when the handler joins a
	 * running one. Must be fast.
	 */
	default void onStart() {
	}

	/**
	 * Called when the reflector begins to stop or the handler is removed, on the thread
	 * that stops or removes, and maybe during another call. A handler that waits for
	 * something should stop waiting. Must be fast. Other calls may follow.
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
	 * Called when a pass (a full state and the watch after it) has ended, so that the
	 * full state is requested again after a delay. Some calls may be left out while the
	 * handler is slow.
	 * @param reason why the pass has ended
	 * @param message what has happened, human-readable
	 */
	default void onRelist(RelistReason reason, String message) {
	}

	/**
	 * Called after the reflector has changed its state. Some states may be left out while
	 * the handler is slow.
	 * @param previous the state before
	 * @param state the state after
	 * @param reason why, human-readable
	 */
	default void onStateChange(ReflectorState previous, ReflectorState state, String reason) {
	}

}
