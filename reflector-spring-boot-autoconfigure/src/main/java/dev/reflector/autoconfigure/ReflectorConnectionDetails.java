package dev.reflector.autoconfigure;

import dev.reflector.client.credentials.ApiServer;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Where the API server is and how to talk to it. A bean of this type takes precedence
 * over everything that is configured by properties or found in the environment.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ReflectorConnectionDetails extends ConnectionDetails {

	/**
	 * The API server. Asked once, when the first reflector that needs it is created.
	 * @return the server, or {@code null} when there is none: reflectors that need it are
	 * then not started
	 */
	@Nullable ApiServer getApiServer();

}
