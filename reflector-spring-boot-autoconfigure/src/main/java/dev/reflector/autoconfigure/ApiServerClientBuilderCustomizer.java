package dev.reflector.autoconfigure;

import dev.reflector.client.ApiServerClient;

/**
 * Customizes the client of the API server. Each bean of this type is called once, in bean
 * order, after the properties and the beans for HTTP clients have been applied.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ApiServerClientBuilderCustomizer {

	/**
	 * Changes the client before it is built.
	 * @param builder the builder, with the settings of the properties and of the beans
	 * for HTTP clients
	 */
	void customize(ApiServerClient.Builder builder);

}
