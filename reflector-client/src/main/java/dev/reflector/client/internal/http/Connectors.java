package dev.reflector.client.internal.http;

import org.springframework.http.client.reactive.ClientHttpConnector;

/**
 * Connectors with their own connection pools. When certificates are replaced, the pools
 * are closed. A pool that is shared with other clients could not be closed, so
 * connections with the old certificates would stay open.
 *
 * @param lists the connector for responses that have an end
 * @param watches the connector for streams
 * @param close closes the connectors; called when no request uses them
 * @param warmUp loads classes and starts threads for the first request; does not connect
 * to the server
 */
public record Connectors(ClientHttpConnector lists, ClientHttpConnector watches, Runnable close, Runnable warmUp) {

	/** Returns connectors that use one connector for lists and watches. */
	static Connectors shared(ClientHttpConnector connector, Runnable close) {
		return new Connectors(connector, connector, close, () -> {
		});
	}

}
