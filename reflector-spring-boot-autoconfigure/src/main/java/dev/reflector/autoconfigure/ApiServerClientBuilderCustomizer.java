package dev.reflector.autoconfigure;

import dev.reflector.client.ApiServerClient;

/**
 * Changes how the client of the API server is made. All beans of this type are called in
 * their order, once, after the properties and the beans for HTTP clients have been
 * applied.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ApiServerClientBuilderCustomizer {

	/**
	 * Changes the client before it is built.
	 * @param builder what the properties have set
	 */
	void customize(ApiServerClient.Builder builder);

}
