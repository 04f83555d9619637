package dev.reflector.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.reflector.cache.source.ConnectionException;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.client.credentials.Route;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.Clients.Widget;
import dev.reflector.client.fixture.Connector;
import dev.reflector.client.fixture.RawServer;
import dev.reflector.client.options.ClientOptions;
import dev.reflector.fixture.LongFormOnly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.StepVerifier;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests of failures to reach a server: each has its own reason and advice.
 */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class UnreachableServerTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final Duration CONNECT = Duration.ofMillis(300);

	private static final ClientOptions IMPATIENT = Clients.OPTIONS
		.withTimeouts(Clients.timeouts(CONNECT, LIMIT, LIMIT));

	@ParameterizedTest
	@EnumSource
	void aConnectionThatIsNotMadeInTimeIsCalledThat(Connector connector) throws IOException {
		List<Socket> waiting = new ArrayList<>();
		// not accepting, with a full backlog
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
			for (int i = 0; i < 3; i++) {
				Socket client = new Socket();
				waiting.add(client);
				try {
					client.connect(socket.getLocalSocketAddress(), 100);
				}
				catch (IOException ex) {
					// the backlog is full
				}
			}
			String address = "127.0.0.1:" + socket.getLocalPort();
			fails(connector.widgets("http://" + address, Route.DIRECT, null, IMPATIENT), "ConnectTimeout", address,
					"reflector.api-server.connect-timeout");
		}
		finally {
			for (Socket client : waiting) {
				client.close();
			}
		}
	}

	/** By default, Reactor Netty waits 45 seconds for a free connection. */
	@LongFormOnly
	@Test
	void aListWaitsForAFreeConnectionUntilTheResponseTimeout() throws Exception {
		CountDownLatch busy = new CountDownLatch(1);
		ClientOptions slow = Clients.timeouts(Duration.ofSeconds(100), Duration.ofSeconds(100));
		ClientOptions one = new ClientOptions(slow.httpVersion(), slow.timeouts(), 1, slow.maxObjectSize(),
				slow.compression(), slow.format());
		try (RawServer server = new RawServer((request, connection) -> {
			busy.await();
			connection.head(200, "Content-Type: application/json", "Connection: close");
			connection.write("{\"items\":[]}");
		})) {
			ListerWatcher<Widget> widgets = Clients.widgets(Clients.client(server.uri(), one));
			CompletableFuture<ListPage<Widget>> first = widgets.list(Clients.list()).toFuture();
			await().until(() -> server.requests().size() == 1);
			CompletableFuture<ListPage<Widget>> second = widgets.list(Clients.list()).toFuture();
			assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> second.get(50, TimeUnit.SECONDS));
			busy.countDown();
			assertThat(first.get(30, TimeUnit.SECONDS).items()).isEmpty();
			assertThat(second.get(30, TimeUnit.SECONDS).items()).isEmpty();
		}
	}

	@ParameterizedTest
	@CsvSource({ "REACTOR,http://me:s3cret@127.0.0.1", "REACTOR,socks5://127.0.0.1", "JDK,http://127.0.0.1" })
	void aProxyThatIsDownIsNotTheServer(Connector connector, String proxy) throws IOException {
		try (Socket unused = new Socket()) {
			// bound, so that the port is not reused, but not listening
			unused.bind(new InetSocketAddress("127.0.0.1", 0));
			Route route = new Route(URI.create(proxy + ":" + unused.getLocalPort()), null);
			fails(connector.widgets("https://api.test:6443", route, null, Clients.OPTIONS), "ProxyFailure",
					"127.0.0.1:" + unused.getLocalPort(), "the proxy was not reached");
		}
	}

	@Test
	void aProxyThatRefusesIsNotTheServer() throws IOException {
		try (RawServer proxy = new RawServer((request, connection) -> connection.head(502, "Content-Length: 0"))) {
			Route route = new Route(URI.create("http://127.0.0.1:" + proxy.port()), null);
			fails(Connector.REACTOR.widgets("https://api.test:6443", route, null, Clients.OPTIONS), "ProxyFailure",
					"502", "which makes no connection to api.test:6443");
		}
	}

	@ParameterizedTest
	@EnumSource
	void aServerThatIsDownIsCalledByItsAddress(Connector connector) throws IOException {
		try (Socket unused = new Socket()) {
			// bound, so that the port is not reused, but not listening
			unused.bind(new InetSocketAddress("127.0.0.1", 0));
			String url = "http://127.0.0.1:" + unused.getLocalPort();
			fails(connector.widgets(url, Route.DIRECT, null, Clients.OPTIONS), "ConnectionRefused",
					"cannot connect to " + url, "check that it runs");
		}
	}

	@ParameterizedTest
	@EnumSource
	void theAddressIsSaidOnce(Connector connector) throws IOException {
		try (Socket unused = new Socket()) {
			unused.bind(new InetSocketAddress("127.0.0.1", 0));
			int port = unused.getLocalPort();
			refused(connector, "http://127.0.0.1:" + port, (connector == Connector.JDK) ? "" : ": Connection refused");
			if (connector == Connector.REACTOR) {
				refused(connector, "http://localhost:" + port, ": Connection refused by 127.0.0.1");
			}
		}
	}

	private static void refused(Connector connector, String url, String said) {
		StepVerifier.create(connector.widgets(url, Route.DIRECT, null, Clients.OPTIONS).list(Clients.list()))
			.expectErrorSatisfies((ex) -> assertThat(ex)
				.hasMessageContaining("cannot connect to " + url + said + "; check that it runs"))
			.verify(LIMIT);
	}

	@ParameterizedTest
	@EnumSource
	void aServerWithoutTlsIsSaidToBeOne(Connector connector, CapturedOutput output) throws IOException {
		try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
			Thread answers = new Thread(() -> answer(server, "HTTP/1.1 400 Bad Request\r\n\r\n"));
			answers.setDaemon(true);
			answers.start();
			String url = "https://127.0.0.1:" + server.getLocalPort();
			StepVerifier.create(connector.widgets(url, Route.DIRECT, null, Clients.OPTIONS).list(Clients.list()))
				.expectErrorSatisfies((ex) -> {
					String said = String.valueOf(ex.getMessage());
					// the thread that sends may first see that the one that reads has
					// closed
					if (connector != Connector.JETTY
							|| !said.endsWith("; if the server does not use TLS, begin its URL with http")) {
						assertThat(said).startsWith("what answers at " + url
								+ " does not use TLS: begin its URL with http, or correct its port (");
					}
				})
				.verify(LIMIT);
		}
		assertThat(output).doesNotContain("\tat ");
	}

	/** Answers as an HTTP server does: after it has read something. */
	private static void answer(ServerSocket server, String answer) {
		try {
			while (true) {
				try (Socket client = server.accept()) {
					client.getInputStream().read(new byte[16_384]);
					client.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
				}
			}
		}
		catch (IOException ex) {
			// closed
		}
	}

	/** A server that expects TLS answers plain HTTP with an alert, or with nothing. */
	@ParameterizedTest
	@ValueSource(strings = { "alert and close", "alert and reset", "close", "reset" })
	void stackTracesOfReactorNettyAreNotLogged(String answer, CapturedOutput output) throws IOException {
		try (RawServer server = new RawServer((request, connection) -> {
			if (answer.startsWith("alert")) {
				connection.write(new byte[] { 0x15, 3, 1, 0, 2, 2, 0x50 });
			}
			if (answer.endsWith("reset")) {
				connection.reset();
			}
		})) {
			StepVerifier.create(Connector.REACTOR.widgets(server).list(Clients.list())).expectError().verify(LIMIT);
		}
		assertThat(output).doesNotContain("\tat ");
	}

	@ParameterizedTest
	@EnumSource
	void aServerThatClosesTheConnectionMayUseTls(Connector connector) throws IOException {
		try (RawServer server = new RawServer((request, connection) -> connection.reset())) {
			StepVerifier.create(connector.widgets(server).list(Clients.list()))
				.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOf(IOException.class)
					.hasMessageEndingWith("; if the server uses TLS, begin its URL with https"))
				.verify(LIMIT);
		}
	}

	@ParameterizedTest
	@EnumSource
	void aServerThatClosesTheConnectionMayNotUseTls(Connector connector) throws IOException {
		try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
			Thread answers = new Thread(() -> answer(server, ""));
			answers.setDaemon(true);
			answers.start();
			String url = "https://127.0.0.1:" + server.getLocalPort();
			StepVerifier.create(connector.widgets(url, Route.DIRECT, null, Clients.OPTIONS).list(Clients.list()))
				.expectErrorSatisfies((ex) -> assertThat(ex.getMessage()).doesNotStartWith("null")
					.endsWith("begin its URL with http"))
				.verify(LIMIT);
		}
	}

	@ParameterizedTest
	@EnumSource
	void largeHeadersOfProxiesAreAccepted(Connector connector) throws IOException {
		byte[] list = "{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[]}".getBytes(StandardCharsets.UTF_8);
		try (RawServer server = new RawServer((request, connection) -> {
			connection.head(200, "Content-Type: application/json", "Content-Length: " + list.length,
					"X-Trace: " + "a".repeat(20_000));
			connection.write(list);
		})) {
			StepVerifier.create(connector.widgets(server).list(Clients.list()))
				.expectNextCount(1)
				.expectComplete()
				.verify(LIMIT);
		}
	}

	@Test
	void aNameThatTheClientOfTheJdkCannotResolveIsCalledThat() {
		// no name server is asked, because a label cannot be that long
		String url = "http://" + "a".repeat(64) + ".test:6443";
		fails(Connector.JDK.widgets(url, Route.DIRECT, null, Clients.OPTIONS), "UnknownHost",
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

}
