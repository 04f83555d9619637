package dev.reflector.client;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;

import dev.reflector.cache.source.ListPage;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.Impersonation;
import dev.reflector.client.credentials.KubeconfigException;
import dev.reflector.client.credentials.Route;
import dev.reflector.client.credentials.SslSource;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.client.fixture.Certificates;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.Clients.Widget;
import dev.reflector.client.fixture.Connector;
import dev.reflector.client.fixture.RawServer;
import dev.reflector.client.fixture.TestProxy;
import dev.reflector.client.internal.pem.PemBundles;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.test.StepVerifier;

import org.springframework.boot.ssl.SslBundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of connections through proxies, and with another server name.
 */
class RouteTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			http://127.0.0.1             | CONNECT api.test:6443 HTTP/1.1
			http://me:s3cret@127.0.0.1   | CONNECT api.test:6443 HTTP/1.1 Basic bWU6czNjcmV0
			socks5://127.0.0.1           | SOCKS api.test:6443
			""")
	void connectsThroughAProxyThatResolvesTheName(String proxyUrl, String target) throws IOException {
		try (RawServer server = RawServer.answering("{\"items\":[]}"); TestProxy proxy = new TestProxy(server.port())) {
			Route route = new Route(URI.create(proxyUrl + ":" + proxy.port()), null);
			assertThat(list(server("http://api.test:6443", null, route)).items()).isEmpty();
			assertThat(proxy.targets()).containsExactly(target);
			assertThat(server.requests()).hasSize(1);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "REACTOR", "JDK" })
	void connectsThroughAProxyWithTls(Connector connector) throws Exception {
		Certificates certificates = Certificates.forHost("api.test", "EC");
		try (RawServer server = new RawServer((request, connection) -> {
			connection.openWatch();
			connection.write("{\"items\":[]}");
		}, certificates.serverSockets(certificates)); TestProxy proxy = new TestProxy(server.port())) {
			SslBundle bundle = PemBundles.bundle(certificates.certificate(), certificates.certificate(),
					certificates.key());
			Route route = new Route(URI.create("http://127.0.0.1:" + proxy.port()), null);
			ListPage<Widget> page = connector.widgets("https://api.test:6443", route, bundle, Clients.OPTIONS)
				.list(Clients.list())
				.block(LIMIT);
			assertThat(page).isNotNull();
			assertThat(page.items()).isEmpty();
			assertThat(proxy.targets()).containsExactly("CONNECT api.test:6443 HTTP/1.1");
		}
	}

	@Test
	void certificateIsCheckedForTheNameThatIsAskedFor() throws Exception {
		Certificates certificates = Certificates.forHost("other.test", "EC");
		try (RawServer server = new RawServer((request, connection) -> {
			connection.openWatch();
			connection.write("{\"items\":[]}");
		}, certificates.serverSockets(certificates))) {
			SslBundle bundle = PemBundles.bundle(certificates.certificate(), certificates.certificate(),
					certificates.key());
			String url = "https://127.0.0.1:" + server.port();
			assertThat(list(server(url, bundle, new Route(null, "other.test"))).items()).isEmpty();
			for (Route route : new Route[] { Route.DIRECT, new Route(null, "another.test") }) {
				StepVerifier
					.create(Clients.widgets(Clients.client(server(url, bundle, route), Clients.OPTIONS))
						.list(Clients.list()))
					.expectError()
					.verify(LIMIT);
			}
			assertThat(server.requests()).hasSize(1);
		}
	}

	@Test
	void namesUnsupportedRoutes() {
		Route encrypted = new Route(URI.create("https://me:s3cret@proxy:3128"), null);
		assertThatExceptionOfType(KubeconfigException.class)
			.isThrownBy(() -> Clients.client(server("https://h", null, encrypted), Clients.OPTIONS))
			.withMessageContaining("cannot connect through https://proxy:3128")
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("s3cret"));
		assertThatExceptionOfType(KubeconfigException.class)
			.isThrownBy(
					() -> Connector.JDK.client(server("https://h", null, new Route(null, "other")), Clients.OPTIONS))
			.withMessageContaining("cannot connect as other")
			.withMessageContaining("spring.http.clients.reactive.connector=reactor");
	}

	@ParameterizedTest
	@CsvSource({ "JDK,socks5://proxy:1080,that of the JDK", "JDK,http://me:s3cret@proxy:3128,that of the JDK",
			"JETTY,http://proxy:3128,Jetty" })
	void aRouteThatALibraryCannotTakeIsRefusedByName(Connector connector, String proxy, String library) {
		Route route = new Route(URI.create(proxy), null);
		assertThatExceptionOfType(KubeconfigException.class)
			.isThrownBy(() -> connector.widgets("https://api.test:6443", route, null, Clients.OPTIONS))
			.withMessageContaining(library)
			.withMessageContaining("proxy-url")
			.withMessageContaining("spring.http.clients.reactive.connector=reactor")
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("s3cret"));
	}

	private static ListPage<?> list(ApiServer server) {
		return Clients.widgets(Clients.client(server, Clients.OPTIONS)).list(Clients.list()).block(LIMIT);
	}

	private static ApiServer server(String url, @Nullable SslBundle bundle, Route route) {
		return new ApiServer(URI.create(url), SslSource.of(bundle), TokenSource.none(), Impersonation.NONE, route,
				"test");
	}

}
