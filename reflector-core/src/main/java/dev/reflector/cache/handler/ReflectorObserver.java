package dev.reflector.cache.handler;

import java.time.Duration;
import java.util.List;

import dev.reflector.ConsistencyReport;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.SkippedObject;

/**
 * Observes the work of a reflector: its requests, its delivery and its snapshots. Must be
 * fast. Exceptions are caught, and the first one is logged. An observer does not receive
 * what a status report already contains.
 * <p>
 * Each followed namespace has a loop with its own thread. The threads of the loops call
 * most methods, so an observer may be called by several threads at once. {@link #skipped}
 * is also called by threads of the source, and {@link #verified} by the thread that
 * requested the comparison. The threads that call handlers also call {@link #delivering},
 * {@link #retried} and {@link #handled}. The thread that writes the mirror calls
 * {@link #merged}, and the threads that write snapshots call the methods about snapshots.
 *
 * @since 0.1.0
 */
public interface ReflectorObserver {

	/** An observer that does nothing. */
	ReflectorObserver NONE = new ReflectorObserver() {
	};

	/**
	 * Returns an observer that calls several observers. When one of them throws, the
	 * others are still called.
	 * @param observers the observers, in the order in which they are called
	 * @return the observer that calls all of them
	 */
	static ReflectorObserver composite(List<? extends ReflectorObserver> observers) {
		return GuardedObservers.of(observers);
	}

	/**
	 * Called when a request begins. For {@link ReflectorRequest.Kind#VERSIONS}, called on
	 * any thread.
	 * @param request the request
	 * @return the observer of this request, {@link RequestObserver#NONE} if the request
	 * need not be observed
	 */
	default RequestObserver requested(ReflectorRequest request) {
		return RequestObserver.NONE;
	}

	/**
	 * Called when a complete state was received.
	 * @param duration the time from the request to the last object
	 * @param items the number of objects
	 * @param pages the number of pages, 0 for the initial part of a watch
	 */
	default void listed(Duration duration, int items, int pages) {
	}

	/**
	 * Called when the full state must be requested again.
	 * @param reason why the full state must be requested again
	 */
	default void relisting(RelistReason reason) {
	}

	/**
	 * Called when the next watch has replaced the current one. The next watch was opened
	 * before the current one ended.
	 */
	default void handedOver() {
	}

	/**
	 * Called when a delay begins before the next attempt.
	 * @param delay the delay
	 * @param failure the failure that caused the delay
	 */
	default void backingOff(Duration delay, RequestFailure failure) {
	}

	/**
	 * Called when an object could not be read and was skipped.
	 * @param object the parts of the object that are known
	 */
	default void skipped(SkippedObject object) {
	}

	/**
	 * Called when the mirror was compared with the server, or could not be compared.
	 * @param report the result of the comparison
	 */
	default void verified(ConsistencyReport report) {
	}

	/**
	 * Called before a change is delivered to a handler.
	 * @param <T> the type of the objects
	 * @param handler the name of the handler
	 * @param change the change
	 * @param accessor reads the metadata of the object
	 */
	default <T> void delivering(String handler, Change<T> change, ResourceAccessor<T> accessor) {
	}

	/**
	 * Called before a handler makes another attempt to handle a change, after a failed
	 * one.
	 * @param handler the name of the handler
	 * @param duration how long the failed attempt took
	 */
	default void retried(String handler, Duration duration) {
	}

	/**
	 * Called when a handler has finished with a change.
	 * @param handler the name of the handler
	 * @param duration how long the call took; after several attempts, how long the last
	 * attempt took
	 * @param failed whether the call threw an exception
	 */
	default void handled(String handler, Duration duration, boolean failed) {
	}

	/**
	 * Called when a change was merged into a queued change of the same object, because
	 * the queue of a handler was full.
	 */
	default void merged() {
	}

	/**
	 * Called when changes were written to the snapshot of a durable mirror.
	 * @param duration how long the commit took
	 */
	default void committed(Duration duration) {
	}

	/**
	 * Called when an attempt to write the snapshot of a durable mirror has failed.
	 */
	default void commitFailed() {
	}

}
