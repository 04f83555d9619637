package dev.reflector.client.internal.http;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.util.component.LifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.http.client.reactive.JettyClientHttpConnectorBuilder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.http.client.reactive.ClientHttpConnector;

/**
 * Jetty's client. With Jetty's defaults, quiet watches would end after half a minute, and
 * no more than 64 watches could run at the same time.
 */
final class JettyLibrary implements HttpLibrary {

	private static final Logger logger = LoggerFactory.getLogger(JettyLibrary.class);

	private static final String LIBRARY = "Jetty";

	/**
	 * The largest size of response headers, in bytes. Proxies may add more headers than
	 * Jetty accepts by default.
	 */
	private static final int MAX_HEADERS = 1024 * 1024;

	private final JettyClientHttpConnectorBuilder builder;

	private final ConnectorPlan plan;

	private JettyLibrary(JettyClientHttpConnectorBuilder builder, ConnectorPlan plan) {
		plan.requireDirectRoute(LIBRARY);
		plan.requireHttp1(LIBRARY);
		this.builder = builder;
		this.plan = plan;
	}

	static @Nullable HttpLibrary of(ClientHttpConnectorBuilder<?> builder, ConnectorPlan plan) {
		return (builder instanceof JettyClientHttpConnectorBuilder jetty) ? new JettyLibrary(jetty, plan) : null;
	}

	@Override
	public Connectors connectors(@Nullable SslBundle bundle) {
		List<HttpClient> clients = new ArrayList<>();
		ClientHttpConnector made = this.builder.withHttpClientCustomizer((client) -> {
			clients.add(client);
			customize(client);
		}).build(this.plan.settings().apply(bundle));
		ClientHttpConnector connector = clients.isEmpty() ? made : new JettyConnector(clients.get(0));
		return Connectors.shared(connector, () -> clients.forEach(JettyLibrary::stop));
	}

	private void customize(HttpClient client) {
		Duration idle = this.plan.timeouts().idle();
		Duration response = this.plan.timeouts().response();
		// longer than Reflector's own timeouts, whose failures explain what has happened
		client.setIdleTimeout(((idle.compareTo(response) > 0) ? idle : response).multipliedBy(2).toMillis());
		client.setMaxResponseHeadersSize(MAX_HEADERS);
		client.setMaxConnectionsPerDestination(Integer.MAX_VALUE);
		// a customizer of the application may have turned on redirects, which would send
		// the token to another server
		client.setFollowRedirects(false);
		client.addEventListener(new LifeCycle.Listener() {

			@Override
			public void lifeCycleStarted(LifeCycle started) {
				// the client adds the decoders when it starts
				client.getContentDecoderFactories().clear();
			}

		});
	}

	@Override
	public boolean isConnectTimeout(Throwable failure) {
		return failure instanceof SocketTimeoutException;
	}

	private static void stop(HttpClient client) {
		try {
			client.stop();
		}
		catch (Exception ex) {
			logger.debug("Jetty's HTTP client could not be stopped", ex);
		}
	}

}
