package dev.reflector.client;

import java.net.URI;
import java.time.Duration;
import java.util.function.Supplier;

import dev.reflector.cache.ListerWatcher;
import dev.reflector.client.Clients.Widget;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * The HTTP libraries that there are tests with.
 */
enum Connector {

	REACTOR(ClientHttpConnectorBuilder::reactor), JDK(ClientHttpConnectorBuilder::jdk),
	JETTY(ClientHttpConnectorBuilder::jetty);

	private final Supplier<ClientHttpConnectorBuilder<?>> builder;

	Connector(Supplier<ClientHttpConnectorBuilder<?>> builder) {
		this.builder = builder;
	}

	/** Clients with a read timeout that watches are not to have. */
	ApiServerClient client(ApiServer server, ApiServerClient.Options options) {
		return new ApiServerClient(WebClient.builder(), this.builder.get(),
				HttpClientSettings.defaults().withReadTimeout(Duration.ofSeconds(1)), JsonMapper.builder().build(),
				server, options, Clients.DECODERS);
	}

	ApiServerClient client(URI url, ApiServerClient.Options options) {
		return client(new ApiServer(url, null, TokenSource.none(), "test"), options);
	}

	ListerWatcher<Widget> widgets(RawServer server) {
		return Clients.widgets(client(server.uri(), Clients.OPTIONS));
	}

	ListerWatcher<Widget> widgets(String url, Route route, @Nullable SslBundle bundle,
			ApiServerClient.Options options) {
		ApiServer server = new ApiServer(URI.create(url), SslSource.of(bundle), TokenSource.none(), Impersonation.NONE,
				route, "test");
		return Clients.widgets(new ApiServerClient(WebClient.builder(), this.builder.get(),
				HttpClientSettings.defaults(), JsonMapper.builder().build(), server, options, Clients.DECODERS));
	}

}
