package dev.reflector.autoconfigure;

import dev.reflector.cache.informer.SharedInformerBuilder;

/**
 * Customizes auto-configured reflectors beyond their options. All beans of this type are
 * called in their order, once for each reflector when it is made, after everything else
 * has been set.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SharedInformerBuilderCustomizer {

	/**
	 * Changes a reflector before it is built.
	 * @param reflector name of the reflector
	 * @param builder the builder, with the values of properties and beans. Options that
	 * are set here replace the options of properties and of each
	 * {@link ReflectorOptionsCustomizer}
	 */
	void customize(String reflector, SharedInformerBuilder<?> builder);

}
