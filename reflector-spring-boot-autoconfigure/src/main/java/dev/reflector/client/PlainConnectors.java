package dev.reflector.client;

import io.netty.channel.Channel;
import reactor.netty.Connection;
import reactor.netty.channel.ChannelOperations;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientRequest;

import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.http.client.reactive.ReactorClientHttpConnectorBuilder;
import org.springframework.util.ClassUtils;

/**
 * Keeps connectors from decompressing behind our back. Boot's Reactor Netty connector
 * does, and Netty stops at the end of the first gzip member, after which a watch would be
 * silent for ever (W-64). And has that connector close the connection of a request that
 * is cancelled.
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
					? reactor.withHttpClientCustomizer(ReactorNetty::customize) : builder;
		}

		private static HttpClient customize(HttpClient client) {
			return client.compress(false).doOnRequest(ReactorNetty::closeWhenCancelled);
		}

		private static void closeWhenCancelled(HttpClientRequest request, Connection connection) {
			Channel channel = connection.channel();
			Runnable close = () -> {
				ChannelOperations<?, ?> operations = ChannelOperations.get(channel);
				// once answered, the connection may serve another request
				if (operations != null && operations == connection) {
					// what has come already and nobody will read
					operations.discard();
					channel.close();
				}
			};
			request.currentContextView()
				.<Cancellation>getOrEmpty(Cancellation.class)
				.ifPresent((cancellation) -> cancellation.onCancel(() -> channel.eventLoop().execute(close)));
		}

	}

}
