package dev.reflector.autoconfigure;

import dev.reflector.client.ApiServerClient;

/**
 * Customizes the client of the API server. All beans of this type are called once, in
 * their order, after the properties and the beans for HTTP clients have been applied.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ApiServerClientBuilderCustomizer {

	/**
	 * Changes the client before it is built.
	 * @param builder the builder, with the values of the properties
	 */
	void customize(ApiServerClient.Builder builder);

}
