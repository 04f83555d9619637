package dev.reflector.client.internal.http;

import java.util.function.Function;

import dev.reflector.client.credentials.KubeconfigException;
import dev.reflector.client.credentials.Route;
import dev.reflector.client.options.Timeouts;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.ssl.SslBundle;

/**
 * What connectors to one API server are to be like, whatever library makes them.
 *
 * @param http2 whether to offer HTTP/2
 * @param host name or address of the server
 * @param route how connections are made
 * @param timeouts how long to wait
 * @param listConnections how many connections may serve lists at a time
 * @param settings what Boot's builders are told, for trust and client certificate of the
 * moment
 */
public record ConnectorPlan(boolean http2, String host, Route route, Timeouts timeouts, int listConnections,
		Function<@Nullable SslBundle, HttpClientSettings> settings) {

	/**
	 * Refuses what a library cannot do.
	 * @param library what the connectors are made with
	 * @throws KubeconfigException when there is a route
	 */
	void requireDirectRoute(String library) {
		if (!this.route.equals(Route.DIRECT)) {
			throw new KubeconfigException("the HTTP client in use, " + library + ", cannot connect " + this.route
					+ " (proxy-url, tls-server-name); use Reactor Netty ('spring.http.clients.reactive.connector=reactor')"
					+ " or remove the field and set it up with a ClientHttpConnectorBuilderCustomizer");
		}
	}

	/**
	 * Refuses what a library cannot do.
	 * @param library what the connectors are made with
	 * @throws KubeconfigException when HTTP/2 is wanted
	 */
	void requireHttp1(String library) {
		if (this.http2) {
			throw new KubeconfigException("the HTTP client in use, " + library
					+ ", cannot be told to speak HTTP/2; use "
					+ "Reactor Netty ('spring.http.clients.reactive.connector=reactor') or the client of the JDK "
					+ "('...=jdk'), or leave 'reflector.api-server.http-version' at http-1.1");
		}
	}

}
