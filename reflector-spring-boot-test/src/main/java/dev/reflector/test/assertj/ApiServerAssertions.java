package dev.reflector.test.assertj;

import dev.reflector.test.EmbeddedApiServer;
import tools.jackson.databind.JsonNode;

/**
 * Where assertions about the embedded server begin.
 *
 * @since 0.1.0
 */
public final class ApiServerAssertions {

	private ApiServerAssertions() {
	}

	/**
	 * Begins with an object.
	 * @param object the object, as {@code ResourceCollection} gives it
	 * @return assertions about it
	 */
	public static ManagedObjectAssert assertThatObject(JsonNode object) {
		return new ManagedObjectAssert(object);
	}

	/**
	 * Begins with a server.
	 * @param server the server
	 * @return assertions about it
	 */
	public static ApiServerAssert assertThatServer(EmbeddedApiServer server) {
		return new ApiServerAssert(server);
	}

}
