package dev.reflector.autoconfigure.connection;

import dev.reflector.client.credentials.ApiServer;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Says where the API server is and how to connect to it. A bean of this type replaces the
 * properties of the connection and the search for a kubeconfig or service account.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ReflectorConnectionDetails extends ConnectionDetails {

	/**
	 * Returns the API server. Called once, when the first reflector that needs the server
	 * is made.
	 * @return the server, or {@code null} if there is none. In that case, reflectors that
	 * need it are not started
	 */
	@Nullable ApiServer getApiServer();

}
