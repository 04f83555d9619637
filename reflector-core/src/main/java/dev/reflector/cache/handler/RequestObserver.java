package dev.reflector.cache.handler;

import java.time.Duration;

import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.WatchEvent;

/**
 * Observes one request of a reflector. A watch may deliver 100,000 events in a second, so
 * {@link #arrived} must be fast. Each method says on which thread it is called; two
 * methods may be called at the same time by different threads. Exceptions are caught, and
 * the first one of a {@link ReflectorObserver} is logged.
 *
 * @since 0.1.0
 * @see ReflectorObserver#requested(ReflectorRequest)
 */
public interface RequestObserver {

	/** An observer that does nothing. */
	RequestObserver NONE = new RequestObserver() {
	};

	/**
	 * Called when a part of the response was received, on threads of the source, if the
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
	 * Called when the server has accepted a watch, by the loop of the reflector.
	 */
	default void opened() {
	}

	/**
	 * Called when a watch has delivered an event, on the thread of the source and before
	 * the loop handles the event. For one request, it is not called twice at the same
	 * time. An event that is on its way when the request ends may arrive after
	 * {@link #ended}.
	 * @param <T> the type of the objects
	 * @param event the event
	 * @param accessor reads the metadata of its object
	 */
	default <T> void arrived(WatchEvent<T> event, ResourceAccessor<T> accessor) {
	}

	/**
	 * Called when a watch is not read from now on, because earlier events still wait.
	 * Called on the thread that delivers events.
	 */
	default void blocked() {
	}

	/**
	 * Called after {@link #blocked} when a watch is read again or has ended, by the loop
	 * or on the thread that delivers events.
	 * @param duration how long it was not read
	 */
	default void unblocked(Duration duration) {
	}

	/**
	 * Called once when the request has ended, by the loop, or for
	 * {@link ReflectorRequest.Kind#VERSIONS} on any thread.
	 * @param end how it has ended
	 */
	default void ended(RequestEnd end) {
	}

}
