package dev.reflector.test.context;

import dev.reflector.test.EmbeddedApiServer;

/**
 * Describes the server of {@link AutoConfigureEmbeddedApiServer} further. For the options
 * that the annotation has no attribute for: beans of this type are called in their order,
 * after the attributes and the mirrored types have been set and before the server starts.
 */
@FunctionalInterface
public interface EmbeddedApiServerBuilderCustomizer {

	/**
	 * Sets options. Called once, on the thread that refreshes the context.
	 * @param builder the description of the server
	 */
	void customize(EmbeddedApiServer.Builder builder);

}
