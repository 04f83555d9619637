package dev.reflector.cache.informer;

import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;

/**
 * Measures or traces reflectors: it observes the work of a reflector, and wraps its
 * source and its handlers. Beans of this type are called in their order, once for each
 * reflector while it is made. The observers, sources and handlers that they return are
 * called on the threads of the reflector, the source and the handlers. By default, a
 * method changes nothing.
 *
 * @since 0.1.0
 */
public interface Instrumentation {

	/**
	 * Makes an observer of a reflector.
	 * @param reflector name of the reflector
	 * @return the observer, {@link ReflectorObserver#NONE} for none
	 */
	default ReflectorObserver observer(String reflector) {
		return ReflectorObserver.NONE;
	}

	/**
	 * Wraps the source of a reflector.
	 * @param <T> the type of the objects
	 * @param reflector name of the reflector
	 * @param accessor reads metadata
	 * @param source the source
	 * @return the source to use, or the same
	 */
	default <T> ListerWatcher<T> source(String reflector, ResourceAccessor<T> accessor, ListerWatcher<T> source) {
		return source;
	}

	/**
	 * Wraps a handler of a reflector.
	 * @param <T> the type of the objects
	 * @param reflector name of the reflector
	 * @param accessor reads metadata
	 * @param handler the handler
	 * @return the handler to use, or the same
	 */
	default <T> ResourceEventHandler<T> handler(String reflector, ResourceAccessor<T> accessor,
			ResourceEventHandler<T> handler) {
		return handler;
	}

}
