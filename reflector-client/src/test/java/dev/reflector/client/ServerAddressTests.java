package dev.reflector.client;

import java.net.URI;
import java.time.Duration;
import java.util.List;

import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.Impersonation;
import dev.reflector.client.credentials.Route;
import dev.reflector.client.credentials.SslSource;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.RawServer;
import dev.reflector.client.fixture.TestProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.netty.http.client.HttpClient;
import reactor.test.StepVerifier;

import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.InetAddressFilter;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that requests go to the configured server, whatever it is, and nowhere else.
 */
class ServerAddressTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	/**
	 * The settings of applications that must not send requests to addresses that others
	 * choose.
	 */
	private static final HttpClientSettings FILTERED = HttpClientSettings.defaults()
		.withInetAddressFilter(InetAddressFilter.externalAddresses());

	static List<ClientHttpConnectorBuilder<?>> libraries() {
		return List.of(ClientHttpConnectorBuilder.reactor(), ClientHttpConnectorBuilder.jdk(),
				ClientHttpConnectorBuilder.jetty());
	}

	@ParameterizedTest
	@MethodSource("libraries")
	void filtersOfAddressesAreForOtherServers(ClientHttpConnectorBuilder<?> library) throws Exception {
		try (RawServer server = RawServer.answering("{\"items\":[]}")) {
			list(Clients.builder(server.uri()).connectorBuilder(library).connectorSettings(FILTERED).build());
			assertThat(server.requests()).hasSize(1);
		}
	}

	/** The address of every server in a cluster; a proxy stands for the network. */
	@Test
	void filtersOfAddressesAllowThoseOfClusters() throws Exception {
		String body = "{\"items\":[]}";
		try (RawServer server = RawServer.answering(body); TestProxy proxy = new TestProxy(server.port())) {
			ApiServer inCluster = new ApiServer(URI.create("http://10.96.0.1:6443"), SslSource.of(null),
					TokenSource.none(), Impersonation.NONE,
					new Route(URI.create("http://127.0.0.1:" + proxy.port()), null), "a test");
			list(Clients.builder(inCluster).connectorSettings(FILTERED).build());
			assertThat(proxy.targets()).containsExactly("CONNECT 10.96.0.1:6443 HTTP/1.1");
		}
		// the client of the JDK looks at the address before it asks for the proxy
		try (RawServer proxy = RawServer.answering(body)) {
			ApiServer inCluster = new ApiServer(URI.create("http://10.96.0.1:6443"), SslSource.of(null),
					TokenSource.none(), Impersonation.NONE, new Route(proxy.uri(), null), "a test");
			list(Clients.builder(inCluster)
				.connectorBuilder(ClientHttpConnectorBuilder.jdk())
				.connectorSettings(FILTERED)
				.build());
			assertThat(proxy.requests()).singleElement()
				.satisfies((request) -> assertThat(request.target()).startsWith("http://10.96.0.1:6443/apis/"));
		}
	}

	static List<ClientHttpConnectorBuilder<?>> librariesThatFollow() {
		return List.of(
				ClientHttpConnectorBuilder.reactor()
					.withHttpClientCustomizer((client) -> client.followRedirect((request, response) -> true)),
				ClientHttpConnectorBuilder.jdk()
					.withHttpClientCustomizer(
							(client) -> client.followRedirects(java.net.http.HttpClient.Redirect.ALWAYS)),
				ClientHttpConnectorBuilder.jetty()
					.withHttpClientCustomizer((client) -> client.setFollowRedirects(true)),
				ClientHttpConnectorBuilder.reactor()
					.withHttpClientFactory(() -> HttpClient.create().followRedirect(true)));
	}

	/** The token would go with it. */
	@ParameterizedTest
	@MethodSource("librariesThatFollow")
	void redirectsAreNotFollowedWhateverTheApplicationHasSet(ClientHttpConnectorBuilder<?> library) throws Exception {
		try (RawServer other = RawServer.answering("{\"items\":[]}");
				RawServer server = new RawServer((request, connection) -> connection.head(302,
						"Location: " + other.uri() + "/elsewhere", "Content-Length: 0"))) {
			ApiServer described = new ApiServer(server.uri(), null, () -> "s3cret", "a test");
			StepVerifier
				.create(Clients.widgets(Clients.builder(described).connectorBuilder(library).build())
					.list(Clients.list()))
				.expectError()
				.verify(LIMIT);
			assertThat(server.requests()).hasSize(1);
			assertThat(other.requests()).isEmpty();
		}
	}

	private static void list(ApiServerClient client) {
		assertThat(Clients.widgets(client).list(Clients.list()).block(LIMIT).items()).isEmpty();
		client.disconnect();
	}

}
