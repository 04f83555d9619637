package dev.reflector.client;

import java.net.URI;
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

	ListerWatcher<Widget> widgets(String url, Route route, @Nullable SslBundle bundle,
			ApiServerClient.Options options) {
		ApiServer server = new ApiServer(URI.create(url), SslSource.of(bundle), TokenSource.none(), Impersonation.NONE,
				route, "test");
		return Clients.widgets(new ApiServerClient(WebClient.builder(), this.builder.get(),
				HttpClientSettings.defaults(), JsonMapper.builder().build(), server, options, Clients.DECODERS));
	}

}
