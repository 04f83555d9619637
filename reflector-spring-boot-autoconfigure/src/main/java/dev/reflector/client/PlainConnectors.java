package dev.reflector.client;

import java.net.URI;
import java.util.List;

import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;

import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;
import reactor.netty.Connection;
import reactor.netty.channel.ChannelOperations;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientRequest;
import reactor.netty.tcp.SslProvider;
import reactor.netty.transport.ProxyProvider;

import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.http.client.reactive.ReactorClientHttpConnectorBuilder;
import org.springframework.util.ClassUtils;

/**
 * Keeps connectors from decompressing behind our back. Boot's Reactor Netty connector
 * does, and Netty stops at the end of the first gzip member, after which a watch would be
 * silent for ever (W-64). And has that connector close the connection of a request that
 * is cancelled, and take the route that a kubeconfig describes.
 */
final class PlainConnectors {

	private static final boolean REACTOR_NETTY = ClassUtils.isPresent("reactor.netty.http.client.HttpClient",
			PlainConnectors.class.getClassLoader());

	private PlainConnectors() {
	}

	/**
	 * Adapts a builder.
	 * @param builder the builder, which is left as it is
	 * @param route how connections are to be made
	 * @return the adapted builder
	 * @throws KubeconfigException when its connector cannot take the route
	 */
	static ClientHttpConnectorBuilder<?> of(ClientHttpConnectorBuilder<?> builder, Route route) {
		ClientHttpConnectorBuilder<?> adapted = REACTOR_NETTY ? ReactorNetty.of(builder, route) : null;
		if (adapted == null && !route.equals(Route.DIRECT)) {
			throw new KubeconfigException("the HTTP client in use cannot connect " + route
					+ " (proxy-url, tls-server-name); use Reactor Netty ('spring.http.clients.reactive.connector=reactor')"
					+ " or remove the field and set it up with a ClientHttpConnectorBuilderCustomizer");
		}
		return (adapted != null) ? adapted : builder;
	}

	/**
	 * Apart, because Reactor Netty is optional.
	 */
	private static final class ReactorNetty {

		static @Nullable ClientHttpConnectorBuilder<?> of(ClientHttpConnectorBuilder<?> builder, Route route) {
			if (!(builder instanceof ReactorClientHttpConnectorBuilder reactor)) {
				return null;
			}
			URI proxy = route.proxy();
			if (proxy != null && "https".equals(proxy.getScheme())) {
				throw new KubeconfigException("cannot connect " + route
						+ ": connections to the proxy itself cannot be encrypted; use a 'proxy-url' with http or socks5");
			}
			return reactor.withHttpClientCustomizer((client) -> customize(client, route));
		}

		private static HttpClient customize(HttpClient client, Route route) {
			HttpClient plain = client.compress(false).doOnRequest(ReactorNetty::closeWhenCancelled);
			URI proxy = route.proxy();
			String name = route.serverName();
			HttpClient routed = (proxy != null) ? plain.proxy((spec) -> proxy(spec, proxy)) : plain;
			return (name != null) ? named(routed, name) : routed;
		}

		private static void proxy(ProxyProvider.TypeSpec spec, URI proxy) {
			ProxyProvider.Proxy type = "socks5".equals(proxy.getScheme()) ? ProxyProvider.Proxy.SOCKS5
					: ProxyProvider.Proxy.HTTP;
			ProxyProvider.Builder builder = spec.type(type).host(proxy.getHost()).port(proxy.getPort());
			String user = proxy.getUserInfo();
			if (user != null) {
				int colon = user.indexOf(':');
				String password = (colon >= 0) ? user.substring(colon + 1) : "";
				builder.username((colon >= 0) ? user.substring(0, colon) : user).password((name) -> password);
			}
		}

		/**
		 * With a name to ask for, the JDK checks the certificate for that name as well.
		 */
		private static HttpClient named(HttpClient client, String name) {
			SslProvider ssl = client.configuration().sslProvider();
			return client.secure(SslProvider
				.addHandlerConfigurator((ssl != null) ? ssl : SslProvider.defaultClientProvider(), (handler) -> {
					SSLParameters parameters = handler.engine().getSSLParameters();
					parameters.setServerNames(List.of(new SNIHostName(name)));
					handler.engine().setSSLParameters(parameters);
				}));
		}

		private static void closeWhenCancelled(HttpClientRequest request, Connection connection) {
			Channel channel = connection.channel();
			Runnable close = () -> {
				if (connection instanceof ChannelOperations<?, ?> operations) {
					// what has come already and nobody will read
					operations.discard();
				}
				// once answered, the connection may serve another request
				if (ChannelOperations.get(channel) == connection) {
					channel.close();
				}
			};
			request.currentContextView()
				.<Cancellation>getOrEmpty(Cancellation.class)
				.ifPresent((cancellation) -> cancellation.onCancel(() -> channel.eventLoop().execute(close)));
		}

	}

}
