package dev.reflector.client.internal.http;

import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.util.concurrent.atomic.AtomicReference;

import javax.net.ssl.SSLParameters;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.http.client.reactive.JdkClientHttpConnectorBuilder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.http.client.reactive.ClientHttpConnector;

/** The client of the JDK. It does not limit the number of connections. */
final class JdkLibrary implements HttpLibrary {

	private static final String LIBRARY = "that of the JDK";

	private static final String[] PROTOCOLS = { "TLSv1.3", "TLSv1.2" };

	private final JdkClientHttpConnectorBuilder builder;

	private final ConnectorPlan plan;

	JdkLibrary(JdkClientHttpConnectorBuilder builder, ConnectorPlan plan) {
		URI proxy = plan.route().proxy();
		boolean plainProxy = proxy != null && "http".equals(proxy.getScheme()) && proxy.getUserInfo() == null
				&& plan.route().serverName() == null;
		if (!plainProxy) {
			plan.requireDirectRoute(LIBRARY);
		}
		this.builder = (proxy != null)
				? builder.withProxySelector(
						ProxySelector.of(InetSocketAddress.createUnresolved(proxy.getHost(), proxy.getPort())))
				: builder;
		this.plan = plan;
	}

	@Override
	public Connectors connectors(@Nullable SslBundle bundle) {
		AtomicReference<HttpClient.Builder> client = new AtomicReference<>();
		ClientHttpConnector made = this.builder.withHttpClientCustomizer((builder) -> {
			customize(builder, bundle);
			client.set(builder);
		}).build(this.plan.settings().apply(bundle));
		HttpClient.Builder builder = client.get();
		// nothing to close: the client closes its connections when nothing refers to the
		// client
		return Connectors.shared((builder != null) ? new JdkCancellableConnector(builder.build()) : made, () -> {
		});
	}

	private void customize(HttpClient.Builder client, @Nullable SslBundle bundle) {
		client.version(this.plan.http2() ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
			// a customizer of the application may have turned on redirects, which would
			// send the token to another server
			.followRedirects(HttpClient.Redirect.NEVER);
		if (this.plan.http2() && bundle != null && bundle.getOptions().getEnabledProtocols() == null) {
			// the JDK offers HTTP/2 only if the TLS protocols are those that HTTP/2
			// allows
			client.sslParameters(new SSLParameters(bundle.getOptions().getCiphers(), PROTOCOLS));
		}
	}

	@Override
	public boolean isConnectTimeout(Throwable failure) {
		return failure instanceof HttpConnectTimeoutException;
	}

}
