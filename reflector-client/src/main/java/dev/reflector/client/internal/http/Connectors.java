package dev.reflector.client.internal.http;

import org.springframework.http.client.reactive.ClientHttpConnector;

/**
 * Connectors with their own connections. In a pool that others share, connections made
 * with certificates that were replaced since would stay open.
 *
 * @param lists for responses that have an end
 * @param watches for streams
 * @param close closes the connectors, once no request uses them
 * @param warmUp loads and starts what the first request needs, if it takes long and needs
 * no server
 */
public record Connectors(ClientHttpConnector lists, ClientHttpConnector watches, Runnable close, Runnable warmUp) {

	/** One connector for lists and watches. */
	static Connectors shared(ClientHttpConnector connector, Runnable close) {
		return new Connectors(connector, connector, close, () -> {
		});
	}

}
