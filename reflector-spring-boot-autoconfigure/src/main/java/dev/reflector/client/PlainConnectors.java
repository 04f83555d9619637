package dev.reflector.client;

import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.http.client.reactive.ReactorClientHttpConnectorBuilder;
import org.springframework.util.ClassUtils;

/**
 * Keeps connectors from decompressing behind our back. Boot's Reactor Netty connector
 * does, and Netty stops at the end of the first gzip member, after which a watch would be
 * silent for ever (W-64).
 */
final class PlainConnectors {

	private static final boolean REACTOR_NETTY = ClassUtils.isPresent("reactor.netty.http.client.HttpClient",
			PlainConnectors.class.getClassLoader());

	private PlainConnectors() {
	}

	static ClientHttpConnectorBuilder<?> of(ClientHttpConnectorBuilder<?> builder) {
		return REACTOR_NETTY ? ReactorNetty.of(builder) : builder;
	}

	/**
	 * Apart, because Reactor Netty is optional.
	 */
	private static final class ReactorNetty {

		static ClientHttpConnectorBuilder<?> of(ClientHttpConnectorBuilder<?> builder) {
			return (builder instanceof ReactorClientHttpConnectorBuilder reactor)
					? reactor.withHttpClientCustomizer((client) -> client.compress(false)) : builder;
		}

	}

}
