package dev.reflector.client;

import java.time.Duration;

import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.http.client.reactive.ReactorClientHttpConnectorBuilder;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.util.ClassUtils;

/**
 * A connector with connections of its own. In a pool shared with others, what was made
 * with certificates that are gone would stay for ever.
 *
 * @param connector the connector
 * @param close closes the connections that are not in use, and the others after their use
 */
record OwnedConnector(ClientHttpConnector connector, Runnable close) {

	private static final boolean REACTOR_NETTY = ClassUtils.isPresent("reactor.netty.http.client.HttpClient",
			OwnedConnector.class.getClassLoader());

	/**
	 * Builds one.
	 * @param builder the builder, which is left as it is
	 * @param settings the settings
	 * @return the connector
	 */
	static OwnedConnector build(ClientHttpConnectorBuilder<?> builder, HttpClientSettings settings) {
		if (REACTOR_NETTY && builder instanceof ReactorClientHttpConnectorBuilder reactor) {
			return ReactorNetty.build(reactor, settings);
		}
		// that of the JDK ends its connections when nobody refers to it any more
		return new OwnedConnector(builder.build(settings), () -> {
		});
	}

	/**
	 * Apart, because Reactor Netty is optional.
	 */
	private static final class ReactorNetty {

		/** As many as Reactor Netty has by itself. */
		private static final int MAX_CONNECTIONS = 500;

		private static final Duration MAX_IDLE_TIME = Duration.ofMinutes(1);

		static OwnedConnector build(ReactorClientHttpConnectorBuilder builder, HttpClientSettings settings) {
			ConnectionProvider pool = ConnectionProvider.builder("reflector")
				.maxConnections(MAX_CONNECTIONS)
				.maxIdleTime(MAX_IDLE_TIME)
				.evictInBackground(MAX_IDLE_TIME)
				.build();
			return new OwnedConnector(builder.withHttpClientFactory(() -> HttpClient.create(pool)).build(settings),
					pool::dispose);
		}

	}

}
