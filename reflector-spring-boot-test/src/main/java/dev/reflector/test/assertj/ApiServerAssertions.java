package dev.reflector.test.assertj;

import dev.reflector.test.EmbeddedApiServer;
import tools.jackson.databind.JsonNode;

/**
 * Entry points for assertions about the embedded server.
 *
 * @since 0.1.0
 */
public final class ApiServerAssertions {

	private ApiServerAssertions() {
	}

	/**
	 * Returns assertions about an object.
	 * @param object the object, as {@code ResourceCollection} returns it
	 * @return assertions about the object
	 */
	public static ManagedObjectAssert assertThatObject(JsonNode object) {
		return new ManagedObjectAssert(object);
	}

	/**
	 * Returns assertions about a server.
	 * @param server the server
	 * @return assertions about the server
	 */
	public static ApiServerAssert assertThatServer(EmbeddedApiServer server) {
		return new ApiServerAssert(server);
	}

}
