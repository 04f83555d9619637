package dev.reflector.test.context;

import dev.reflector.test.EmbeddedApiServer;

/**
 * Customizes the server that {@link AutoConfigureEmbeddedApiServer} starts, for options
 * for which the annotation has no attribute. Beans of this type are called in their
 * order, after the attributes and the mirrored types have been set and before the server
 * starts.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface EmbeddedApiServerBuilderCustomizer {

	/**
	 * Sets options. Called once, on the thread that refreshes the context.
	 * @param builder the builder of the server
	 */
	void customize(EmbeddedApiServer.Builder builder);

}
