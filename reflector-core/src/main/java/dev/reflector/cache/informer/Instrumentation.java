package dev.reflector.cache.informer;

import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;

/**
 * Measures or traces reflectors: observes a reflector, and wraps its source and its
 * handlers. Beans of this type are called in their order: {@link #observer} and
 * {@link #source} once when a reflector is created, {@link #handler} once for each
 * handler of a reflector. A returned source or handler is called on the same threads as
 * the source or handler that it wraps. {@link ReflectorObserver} says which threads call
 * an observer. By default, a method changes nothing.
 *
 * @since 0.1.0
 */
public interface Instrumentation {

	/**
	 * Creates an observer of a reflector.
	 * @param reflector the name of the reflector
	 * @return the observer, {@link ReflectorObserver#NONE} for none
	 */
	default ReflectorObserver observer(String reflector) {
		return ReflectorObserver.NONE;
	}

	/**
	 * Wraps the source of a reflector.
	 * @param <T> the type of the objects
	 * @param reflector the name of the reflector
	 * @param accessor reads the metadata of the objects
	 * @param source the source
	 * @return the source to use; may be the given one
	 */
	default <T> ListerWatcher<T> source(String reflector, ResourceAccessor<T> accessor, ListerWatcher<T> source) {
		return source;
	}

	/**
	 * Wraps a handler of a reflector.
	 * @param <T> the type of the objects
	 * @param reflector the name of the reflector
	 * @param accessor reads the metadata of the objects
	 * @param handler the handler
	 * @return the handler to use; may be the given one
	 */
	default <T> ResourceEventHandler<T> handler(String reflector, ResourceAccessor<T> accessor,
			ResourceEventHandler<T> handler) {
		return handler;
	}

}
