package dev.reflector.autoconfigure;

import dev.reflector.cache.handler.ReflectorObserver;

/**
 * Makes an observer for each auto-configured reflector. All beans of this type are called
 * in their order, once for each reflector while it is made.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ReflectorObserverFactory {

	/**
	 * Makes the observer of a reflector.
	 * @param reflector name of the reflector
	 * @return the observer, {@link ReflectorObserver#NONE} for none
	 */
	ReflectorObserver observer(String reflector);

}
