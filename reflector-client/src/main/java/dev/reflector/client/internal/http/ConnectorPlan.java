package dev.reflector.client.internal.http;

import java.util.function.Function;

import dev.reflector.client.credentials.KubeconfigException;
import dev.reflector.client.credentials.Route;
import dev.reflector.client.options.Timeouts;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.ssl.SslBundle;

/**
 * Describes connectors to one API server, independently of the HTTP library.
 *
 * @param http2 whether to offer HTTP/2
 * @param host the name or address of the server
 * @param route the proxy and the server name for connections
 * @param timeouts the timeouts of connections and requests
 * @param listConnections the largest number of connections for lists at the same time
 * @param settings returns the settings for Spring Boot's builders with the given trusted
 * authorities and client certificate
 */
public record ConnectorPlan(boolean http2, String host, Route route, Timeouts timeouts, int listConnections,
		Function<@Nullable SslBundle, HttpClientSettings> settings) {

	/**
	 * Checks that no proxy and no server name is set. Called for a library that supports
	 * neither.
	 * @param library the name of the library
	 * @throws KubeconfigException if one of them is set
	 */
	void requireDirectRoute(String library) {
		if (!this.route.equals(Route.DIRECT)) {
			throw new KubeconfigException("the HTTP client in use, " + library + ", cannot connect " + this.route
					+ " (proxy-url, tls-server-name); use Reactor Netty ('spring.http.clients.reactive.connector=reactor')"
					+ " or remove the field and set it up with a ClientHttpConnectorBuilderCustomizer");
		}
	}

	/**
	 * Checks that HTTP/2 is not requested. Called for a library whose version of HTTP
	 * cannot be set.
	 * @param library the name of the library
	 * @throws KubeconfigException if HTTP/2 is requested
	 */
	void requireHttp1(String library) {
		if (this.http2) {
			throw new KubeconfigException("the HTTP client in use, " + library + ", cannot be set to speak HTTP/2; use "
					+ "Reactor Netty ('spring.http.clients.reactive.connector=reactor') or the client of the JDK "
					+ "('...=jdk'), or leave 'reflector.api-server.http-version' at http-1.1");
		}
	}

}
