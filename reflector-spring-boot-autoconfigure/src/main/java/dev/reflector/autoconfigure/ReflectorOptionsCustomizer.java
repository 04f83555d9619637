package dev.reflector.autoconfigure;

import dev.reflector.cache.config.ReflectorOptions;

/**
 * Changes the options of auto-configured reflectors, for example those of one reflector
 * only. All beans of this type are called in their order, once for each reflector while
 * it is made, after the properties have been applied.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ReflectorOptionsCustomizer {

	/**
	 * Changes the options of a reflector.
	 * @param reflector name of the reflector
	 * @param options the options from the properties. A value that is out of its range
	 * fails the start
	 */
	void customize(String reflector, ReflectorOptions.Builder options);

}
