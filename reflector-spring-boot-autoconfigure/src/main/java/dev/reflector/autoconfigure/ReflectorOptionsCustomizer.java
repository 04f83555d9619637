package dev.reflector.autoconfigure;

import dev.reflector.cache.config.ReflectorOptions;

/**
 * Customizes the options of auto-configured reflectors, for example of one reflector
 * only. When a reflector is created, all beans of this type are called once, in bean
 * order, after the properties have been applied.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ReflectorOptionsCustomizer {

	/**
	 * Changes the options of a reflector.
	 * @param reflector name of the reflector
	 * @param options the options from the properties. If the customizer sets a value out
	 * of range, the start fails
	 */
	void customize(String reflector, ReflectorOptions.Builder options);

}
