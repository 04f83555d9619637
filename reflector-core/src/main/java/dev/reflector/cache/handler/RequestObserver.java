package dev.reflector.cache.handler;

import java.time.Duration;

import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.WatchEvent;

/**
 * Observes one request of a reflector. A watch may deliver 100,000 events in a second, so
 * {@link #arrived} must be fast. The threads that call a method are named at the method;
 * different threads may call two methods at the same time. Exceptions are caught. Only
 * the first exception of each {@link ReflectorObserver} is logged.
 *
 * @since 0.1.0
 * @see ReflectorObserver#requested(ReflectorRequest)
 */
public interface RequestObserver {

	/** An observer that does nothing. */
	RequestObserver NONE = new RequestObserver() {
	};

	/**
	 * Called when part of the response was received, on threads of the source, if the
	 * source counts bytes.
	 * @param bytes size of the part as received
	 */
	default void received(long bytes) {
	}

	/**
	 * Called when the server refuses the requested format and the source continues with
	 * another one, on threads of the source.
	 */
	default void formatRefused() {
	}

	/**
	 * Called when the server has accepted a watch, on the thread of the reflector's loop.
	 */
	default void opened() {
	}

	/**
	 * Called when a watch has delivered an event, on the thread of the source and before
	 * the loop handles the event. For one request, two calls never overlap. An event that
	 * is still in transit when the request ends may arrive after {@link #ended}.
	 * @param <T> the type of the objects
	 * @param event the event
	 * @param accessor reads the metadata of the event's object
	 */
	default <T> void arrived(WatchEvent<T> event, ResourceAccessor<T> accessor) {
	}

	/**
	 * Called when the reflector stops reading a watch because earlier events are still
	 * queued. Called on the thread that delivers events.
	 */
	default void blocked() {
	}

	/**
	 * Called after {@link #blocked} when the watch is read again or has ended. Called on
	 * the thread of the loop, or on the thread that delivers events.
	 * @param duration how long the watch was not read
	 */
	default void unblocked(Duration duration) {
	}

	/**
	 * Called once when the request has ended, on the thread of the loop. For
	 * {@link ReflectorRequest.Kind#VERSIONS}, called on any thread.
	 * @param end how the request has ended
	 */
	default void ended(RequestEnd end) {
	}

}
