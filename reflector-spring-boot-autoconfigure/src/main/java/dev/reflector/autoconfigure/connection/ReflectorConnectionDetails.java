package dev.reflector.autoconfigure.connection;

import dev.reflector.client.credentials.ApiServer;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Where the API server is and how to talk to it. A bean of this type replaces everything
 * that properties configure or that is found in the environment.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ReflectorConnectionDetails extends ConnectionDetails {

	/**
	 * The API server. Called once, when the first reflector that needs it is made.
	 * @return the server, or {@code null} when there is none: then reflectors that need
	 * it are not started
	 */
	@Nullable ApiServer getApiServer();

}
