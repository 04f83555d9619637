package dev.reflector.autoconfigure;

import dev.reflector.cache.informer.SharedInformerBuilder;

/**
 * Changes how auto-configured reflectors are made, beyond their options. All beans of
 * this type are called in their order, once for each reflector while it is made, after
 * everything else has been set.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SharedInformerBuilderCustomizer {

	/**
	 * Changes a reflector before it is built.
	 * @param reflector name of the reflector
	 * @param builder what properties and beans have set. Options that are set here
	 * replace those of properties and of each {@link ReflectorOptionsCustomizer}
	 */
	void customize(String reflector, SharedInformerBuilder<?> builder);

}
