package dev.reflector.cache.handler;

import java.time.Duration;

import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.WatchEvent;

/**
 * Observes one request of a reflector. Events of a watch may come 100,000 times a second,
 * so {@link #arrived} must be fast. Each method says on which thread it is called; two
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
	 * A part of the answer has arrived. Called on threads of the source, if the source
	 * counts.
	 * @param bytes its size as it came
	 */
	default void received(long bytes) {
	}

	/**
	 * The server refuses the requested format, and the source continues with another one.
	 * Called on threads of the source.
	 */
	default void formatRefused() {
	}

	/**
	 * The server has accepted a watch. Called by the loop of the reflector.
	 */
	default void opened() {
	}

	/**
	 * A watch has delivered something. Called on the thread of the source that delivers
	 * it, before the loop handles it; not called twice at the same time for one request.
	 * What is on its way when the request ends may arrive after {@link #ended}.
	 * @param <T> the type of the objects
	 * @param event what it has delivered
	 * @param accessor reads metadata of its object
	 */
	default <T> void arrived(WatchEvent<T> event, ResourceAccessor<T> accessor) {
	}

	/**
	 * A watch is not read from now on, because earlier events still wait. Called on the
	 * thread that delivers events.
	 */
	default void blocked() {
	}

	/**
	 * A watch is read again, or has ended. Called after {@link #blocked}, by the loop or
	 * on the thread that delivers events.
	 * @param duration how long it was not read
	 */
	default void unblocked(Duration duration) {
	}

	/**
	 * The request has ended. Called once, by the loop, or for
	 * {@link ReflectorRequest.Kind#VERSIONS} on any thread.
	 * @param end how
	 */
	default void ended(RequestEnd end) {
	}

}
