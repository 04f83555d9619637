package dev.reflector.cache;

/**
 * Has a look at what goes into a reflector and comes out of it, while it is made.
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
