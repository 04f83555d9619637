package dev.reflector.client.internal.http;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;

import dev.reflector.client.credentials.KubeconfigException;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.proxy.ProxyConnectException;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.resolver.DefaultAddressResolverGroup;
import io.netty.util.NetUtil;
import org.jspecify.annotations.Nullable;
import reactor.netty.Connection;
import reactor.netty.NettyPipeline;
import reactor.netty.channel.ChannelOperations;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.Http2AllocationStrategy;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientRequest;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.tcp.SslProvider;
import reactor.netty.transport.ProxyProvider;

import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.http.client.reactive.ReactorClientHttpConnectorBuilder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.http.client.reactive.ClientHttpConnector;

/**
 * Reactor Netty, with one connection pool for lists and one for watches. The pool for
 * watches has no limit, so lists and watches never wait for each other.
 */
final class ReactorNettyLibrary implements HttpLibrary {

	/**
	 * The longest time for which idle connections are kept. It is shorter than the idle
	 * time of servers and proxies.
	 */
	private static final Duration MAX_IDLE = Duration.ofSeconds(30);

	/**
	 * The largest size of response headers, in bytes. Proxies may add more than the 8 KB
	 * that Netty accepts by default.
	 */
	private static final int MAX_HEADERS = 1024 * 1024;

	/**
	 * The largest size of one read from the network, in bytes. With Netty's default of 64
	 * KB, a large list needs four times as many reads.
	 */
	private static final int MAX_READ = 256 * 1024;

	private final ReactorClientHttpConnectorBuilder builder;

	private final ConnectorPlan plan;

	private ReactorNettyLibrary(ReactorClientHttpConnectorBuilder builder, ConnectorPlan plan) {
		URI proxy = plan.route().proxy();
		if (proxy != null && "https".equals(proxy.getScheme())) {
			throw new KubeconfigException("cannot connect " + plan.route()
					+ ": connections to the proxy itself cannot be encrypted; use a 'proxy-url' with http or socks5");
		}
		this.builder = builder;
		this.plan = plan;
	}

	static @Nullable HttpLibrary of(ClientHttpConnectorBuilder<?> builder, ConnectorPlan plan) {
		return (builder instanceof ReactorClientHttpConnectorBuilder reactor) ? new ReactorNettyLibrary(reactor, plan)
				: null;
	}

	@Override
	public Connectors connectors(@Nullable SslBundle bundle) {
		ConnectionProvider lists = pool("lists", this.plan.listConnections());
		ConnectionProvider watches = pool("watches", Integer.MAX_VALUE);
		AtomicReference<@Nullable HttpClient> client = new AtomicReference<>();
		return new Connectors(connector(lists, bundle, client), connector(watches, bundle, client), () -> {
			lists.dispose();
			watches.dispose();
		}, () -> {
			HttpClient made = client.get();
			if (made != null) {
				made.warmup().block(this.plan.timeouts().connect());
			}
		});
	}

	private ConnectionProvider pool(String name, int connections) {
		Duration maxIdle = maxIdle();
		ConnectionProvider.Builder pool = ConnectionProvider.builder("reflector-" + name).maxConnections(connections);
		if (this.plan.http2()) {
			// otherwise, if many requests start at once, each would make its own
			// connection
			pool.allocationStrategy(
					Http2AllocationStrategy.builder().maxConnections(connections).strictConnectionReuse(true).build());
		}
		return pool.pendingAcquireMaxCount(-1)
			// longer than Reflector's own timeout, whose failure says more
			.pendingAcquireTimeout(this.plan.timeouts().response().multipliedBy(2))
			.maxIdleTime(maxIdle)
			.evictInBackground(maxIdle)
			.build();
	}

	private Duration maxIdle() {
		Duration third = this.plan.timeouts().idle().dividedBy(3);
		return (third.compareTo(MAX_IDLE) < 0) ? third : MAX_IDLE;
	}

	@Override
	public boolean isConnectTimeout(Throwable failure) {
		return failure instanceof ConnectTimeoutException;
	}

	@Override
	public boolean isHandshakeTimeout(Throwable failure) {
		return failure instanceof SslHandshakeTimeoutException;
	}

	@Override
	public boolean isProxyRefusal(Throwable failure) {
		return failure instanceof ProxyConnectException;
	}

	private ClientHttpConnector connector(ConnectionProvider pool, @Nullable SslBundle bundle,
			AtomicReference<@Nullable HttpClient> made) {
		return this.builder.withHttpClientFactory(() -> client(pool)).withHttpClientCustomizer((client) -> {
			HttpClient customized = customize(client, bundle);
			made.set(customized);
			return customized;
		}).build(this.plan.settings().apply(bundle));
	}

	/**
	 * Creates a client. If the host is an IP address, the client gets a resolver that
	 * never asks name servers.
	 */
	private HttpClient client(ConnectionProvider pool) {
		HttpClient client = HttpClient.create(pool);
		boolean direct = this.plan.route().proxy() == null;
		return (direct && NetUtil.createByteArrayFromIpAddressString(this.plan.host()) != null)
				? client.resolver(DefaultAddressResolverGroup.INSTANCE) : client;
	}

	private HttpClient customize(HttpClient client, @Nullable SslBundle bundle) {
		// a customizer of the application may have turned on redirects, which would send
		// the token to another server
		HttpClient plain = client.compress(false)
			.followRedirect(false)
			// no retry here, because a write must not be sent twice; the exchange repeats
			// other requests
			.disableRetry(true)
			.httpResponseDecoder((decoder) -> decoder.maxHeaderSize(MAX_HEADERS))
			.doOnChannelInit((observer, channel, address) -> channel.pipeline()
				.addBefore(NettyPipeline.ReactiveBridge, TracelessFailures.NAME, new TracelessFailures())
				.addBefore(NettyPipeline.ReactiveBridge, InterimAnswers.NAME, new InterimAnswers()))
			.doOnRequest(ReactorNettyConnection::serve)
			.doOnRequest(ReactorNettyLibrary::closeWhenCancelled);
		HttpClient reading = reading(plain);
		HttpClient versioned = this.plan.http2() ? http2(reading, bundle) : http11(reading);
		URI proxy = this.plan.route().proxy();
		String name = this.plan.route().serverName();
		HttpClient routed = (proxy != null) ? versioned.proxy((spec) -> proxy(spec, proxy)) : versioned;
		return (name != null) ? named(routed, name) : routed;
	}

	/**
	 * Allows larger reads, unless a customizer of the application has chosen an
	 * allocator.
	 */
	private static HttpClient reading(HttpClient client) {
		return client.configuration().options().containsKey(ChannelOption.RECVBUF_ALLOCATOR) ? client
				: client.option(ChannelOption.RECVBUF_ALLOCATOR,
						new AdaptiveRecvByteBufAllocator(AdaptiveRecvByteBufAllocator.DEFAULT_MINIMUM,
								AdaptiveRecvByteBufAllocator.DEFAULT_INITIAL, MAX_READ));
	}

	/**
	 * Sets HTTP/1.1 only if the client does not use it already. Setting it again would
	 * create a TLS context, for which the JDK would read all trusted certificates.
	 */
	private static HttpClient http11(HttpClient client) {
		boolean already = Arrays.equals(client.configuration().protocols(), new HttpProtocol[] { HttpProtocol.HTTP11 });
		return already ? client : client.protocol(HttpProtocol.HTTP11);
	}

	/**
	 * Configures HTTP/2. Creates the TLS context of a bundle again, because Spring Boot's
	 * TLS context has no ALPN. Quiet connections are pinged, because otherwise, new
	 * watches could be sent over a dead connection.
	 */
	private HttpClient http2(HttpClient client, @Nullable SslBundle bundle) {
		Http2SslContextSpec context = Http2SslContextSpec.forClient();
		if (bundle != null) {
			context = context.configure((ssl) -> trust(ssl, bundle));
		}
		SslProvider.GenericSslContextSpec<?> spec = context;
		Duration answer = maxIdle().dividedBy(2);
		return client.protocol(HttpProtocol.H2, HttpProtocol.HTTP11)
			.secure((ssl) -> ssl.sslContext(spec))
			.http2Settings((settings) -> settings.maxHeaderListSize(MAX_HEADERS)
				.pingAckTimeout(answer)
				.pingAckDropThreshold(1));
	}

	private static void trust(SslContextBuilder ssl, SslBundle bundle) {
		SslOptions options = bundle.getOptions();
		ssl.keyManager(bundle.getManagers().getKeyManagerFactory())
			.trustManager(bundle.getManagers().getTrustManagerFactory());
		if (options.getCiphers() != null) {
			ssl.ciphers(SslOptions.asSet(options.getCiphers()));
		}
		if (options.getEnabledProtocols() != null) {
			ssl.protocols(options.getEnabledProtocols());
		}
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
	 * Sets the server name for SNI. The JDK then checks the certificate for this name,
	 * too.
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

	/**
	 * Closes the channel if the request is canceled. With HTTP/2, the channel is only the
	 * stream of this request, so the connection and its other streams stay open.
	 */
	private static void closeWhenCancelled(HttpClientRequest request, Connection connection) {
		Channel channel = connection.channel();
		Runnable close = () -> {
			if (connection instanceof ChannelOperations<?, ?> operations) {
				// releases bytes that have arrived and will not be read
				operations.discard();
			}
			// if the response has ended, the connection may already serve another request
			if (ChannelOperations.get(channel) == connection) {
				channel.close();
			}
		};
		request.currentContextView()
			.<Cancellation>getOrEmpty(Cancellation.class)
			.ifPresent((cancellation) -> cancellation.onCancel(() -> channel.eventLoop().execute(close)));
	}

}
