package dev.reflector.autoconfigure;

import dev.reflector.cache.informer.SharedInformerBuilder;

/**
 * Customizes auto-configured reflectors beyond their options. When a reflector is
 * created, all beans of this type are called once, in bean order, after everything else
 * has been set.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SharedInformerBuilderCustomizer {

	/**
	 * Changes a reflector before it is built.
	 * @param reflector name of the reflector
	 * @param builder the builder, with the values of properties and beans. Options set
	 * here replace those from the properties and from each
	 * {@link ReflectorOptionsCustomizer}
	 */
	void customize(String reflector, SharedInformerBuilder<?> builder);

}
