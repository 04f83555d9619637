package dev.reflector.client.internal.http;

import org.springframework.http.client.reactive.ClientHttpConnector;

/**
 * Connectors with their own connections. In a pool shared with others, connections that
 * were made with replaced certificates would stay open.
 *
 * @param lists the connector for responses that have an end
 * @param watches the connector for streams
 * @param close closes the connectors, once no request uses them
 * @param warmUp loads classes and starts threads that the first request needs, without a
 * server
 */
public record Connectors(ClientHttpConnector lists, ClientHttpConnector watches, Runnable close, Runnable warmUp) {

	/** Uses one connector for lists and watches. */
	static Connectors shared(ClientHttpConnector connector, Runnable close) {
		return new Connectors(connector, connector, close, () -> {
		});
	}

}
