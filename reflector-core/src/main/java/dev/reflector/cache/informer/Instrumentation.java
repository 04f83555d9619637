package dev.reflector.cache.informer;

import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;

/**
 * Puts something around the source and the handlers of a reflector, to measure or trace
 * what goes in and comes out. Beans of this type are asked in their order, once for each
 * reflector while it is made; what they put there is called on the threads of the source
 * and of the handlers.
 *
 * @since 0.1.0
 */
public interface Instrumentation {

	/**
	 * Puts something around the source of a reflector.
	 * @param <T> the type of the objects
	 * @param reflector name of the reflector
	 * @param accessor reads metadata
	 * @param source the source
	 * @return what to use in its place, or the same
	 */
	<T> ListerWatcher<T> source(String reflector, ResourceAccessor<T> accessor, ListerWatcher<T> source);

	/**
	 * Puts something around a handler of a reflector.
	 * @param <T> the type of the objects
	 * @param reflector name of the reflector
	 * @param accessor reads metadata
	 * @param handler the handler
	 * @return what to use in its place, or the same
	 */
	<T> ResourceEventHandler<T> handler(String reflector, ResourceAccessor<T> accessor,
			ResourceEventHandler<T> handler);

}
