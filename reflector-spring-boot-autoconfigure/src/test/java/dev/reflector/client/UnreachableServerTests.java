package dev.reflector.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import dev.reflector.cache.ListPage;
import dev.reflector.cache.ListerWatcher;
import dev.reflector.cache.ConnectionException;
import dev.reflector.client.Clients.Widget;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.test.StepVerifier;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A server that is not reached, for reasons that have a name and a remedy of their own.
 */
@Timeout(120)
class UnreachableServerTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final Duration CONNECT = Duration.ofMillis(300);

	@TempDir
	private Path folder;

	private enum Connector {

		REACTOR(ClientHttpConnectorBuilder::reactor), JDK(ClientHttpConnectorBuilder::jdk),
		JETTY(ClientHttpConnectorBuilder::jetty);

		private final Supplier<ClientHttpConnectorBuilder<?>> builder;

		Connector(Supplier<ClientHttpConnectorBuilder<?>> builder) {
			this.builder = builder;
		}

		ListerWatcher<Widget> widgets(String url, Route route, @Nullable SslBundle bundle) {
			ApiServer server = new ApiServer(URI.create(url), SslSource.of(bundle), TokenSource.none(),
					Impersonation.NONE, route, "test");
			return Clients.widgets(new ApiServerClient(WebClient.builder(), this.builder.get(),
					HttpClientSettings.defaults(), JsonMapper.builder().build(), server,
					new ApiServerClient.Options(CONNECT, LIMIT, Clients.OPTIONS.maxObjectSize(), "test"),
					Clients.DECODERS));
		}

	}

	@ParameterizedTest
	@EnumSource
	void aConnectionThatIsNotMadeInTimeIsCalledThat(Connector connector) throws IOException {
		List<Socket> waiting = new ArrayList<>();
		// nobody accepts, and no more may wait
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
			for (int i = 0; i < 3; i++) {
				Socket client = new Socket();
				waiting.add(client);
				try {
					client.connect(socket.getLocalSocketAddress(), 100);
				}
				catch (IOException ex) {
					// full already
				}
			}
			String address = "127.0.0.1:" + socket.getLocalPort();
			fails(connector.widgets("http://" + address, Route.DIRECT, null), ConnectionException.CONNECT_TIMEOUT,
					address, "reflector.api-server.connect-timeout");
		}
		finally {
			for (Socket client : waiting) {
				client.close();
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "REACTOR,http://me:s3cret@127.0.0.1", "REACTOR,socks5://127.0.0.1", "JDK,http://127.0.0.1" })
	void aProxyThatIsDownIsNotTheServer(Connector connector, String proxy) throws IOException {
		try (Socket unused = new Socket()) {
			// bound, so that nobody else takes it, and nobody listens
			unused.bind(new InetSocketAddress("127.0.0.1", 0));
			Route route = new Route(URI.create(proxy + ":" + unused.getLocalPort()), null);
			fails(connector.widgets("https://api.test:6443", route, null), ConnectionException.PROXY_FAILURE,
					"127.0.0.1:" + unused.getLocalPort(), "the proxy was not reached");
		}
	}

	@Test
	void aProxyThatRefusesIsNotTheServer() throws IOException {
		try (RawServer proxy = new RawServer((request, connection) -> connection.head(502, "Content-Length: 0"))) {
			Route route = new Route(URI.create("http://127.0.0.1:" + proxy.port()), null);
			fails(Connector.REACTOR.widgets("https://api.test:6443", route, null), ConnectionException.PROXY_FAILURE,
					"502", "which makes no connection to api.test:6443");
		}
	}

	@ParameterizedTest
	@EnumSource
	void aServerThatIsDownIsCalledByItsAddress(Connector connector) throws IOException {
		int port;
		try (ServerSocket socket = new ServerSocket(0)) {
			port = socket.getLocalPort();
		}
		fails(connector.widgets("http://127.0.0.1:" + port, Route.DIRECT, null), "ConnectionRefused",
				"cannot connect to http://127.0.0.1:" + port, "check that it runs");
	}

	@Test
	void aNameThatTheClientOfTheJdkCannotResolveIsCalledThat() {
		// no name server is asked: no label is that long
		String url = "http://" + "a".repeat(64) + ".test:6443";
		fails(Connector.JDK.widgets(url, Route.DIRECT, null), "UnknownHost",
				"cannot connect to " + url + ": there is no address for this name");
	}

	private static void fails(ListerWatcher<Widget> widgets, String reason, String... said) {
		StepVerifier.create(widgets.list(Clients.list())).expectErrorSatisfies((ex) -> {
			assertThat(ex).isInstanceOfSatisfying(ConnectionException.class,
					(failure) -> assertThat(failure.reason()).isEqualTo(reason));
			assertThat(ex).hasMessageContainingAll(said);
			assertThat(ex.getMessage()).doesNotContain("s3cret").doesNotContain("null");
		}).verify(LIMIT);
	}

	@Test
	void theClientOfTheJdkTakesAnHttpProxy() throws Exception {
		Certificates certificates = Certificates.generate(this.folder, "server", "EC", "-ext", "san=dns:api.test");
		try (RawServer server = new RawServer((request, connection) -> {
			connection.openWatch();
			connection.write("{\"items\":[]}");
		}, certificates.serverSockets(certificates)); TestProxy proxy = new TestProxy(server.port())) {
			SslBundle bundle = PemBundles.bundle(certificates.certificate(), certificates.certificate(),
					certificates.key());
			Route route = new Route(URI.create("http://127.0.0.1:" + proxy.port()), null);
			ListPage<Widget> page = Connector.JDK.widgets("https://api.test:6443", route, bundle)
				.list(Clients.list())
				.block(LIMIT);
			assertThat(page).isNotNull();
			assertThat(page.items()).isEmpty();
			assertThat(proxy.targets()).singleElement().asString().startsWith("CONNECT api.test:6443 HTTP/1.1");
		}
	}

	@ParameterizedTest
	@CsvSource({ "JDK,socks5://proxy:1080,that of the JDK", "JDK,http://me:s3cret@proxy:3128,that of the JDK",
			"JETTY,http://proxy:3128,Jetty" })
	void aRouteThatALibraryCannotTakeIsRefusedByName(Connector connector, String proxy, String library) {
		Route route = new Route(URI.create(proxy), null);
		assertThatExceptionOfType(KubeconfigException.class)
			.isThrownBy(() -> connector.widgets("https://api.test:6443", route, null))
			.withMessageContaining(library)
			.withMessageContaining("proxy-url")
			.withMessageContaining("spring.http.clients.reactive.connector=reactor")
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("s3cret"));
	}

}
