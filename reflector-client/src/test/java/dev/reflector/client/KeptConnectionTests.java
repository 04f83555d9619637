package dev.reflector.client;

import java.time.Duration;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.Clients.Widget;
import dev.reflector.client.fixture.KeepingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that a request on a reused connection is repeated at once when the server closes
 * the connection before the first byte of the response, as in Go's HTTP client, with
 * every connector.
 */
@Timeout(60)
class KeptConnectionTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final String LIST = "{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[]}";

	private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
			+ LIST.length() + "\r\n\r\n" + LIST;

	private static ListerWatcher<Widget> widgets(Library library, KeepingServer server) {
		return Clients.widgets(Clients.builder(server.uri()).connectorBuilder(library.builder).build());
	}

	private static String version(ListerWatcher<Widget> widgets) {
		return widgets.list(Clients.list()).block(LIMIT).resourceVersion();
	}

	/**
	 * Answers the first request of each connection, and drops the connection at the
	 * second.
	 */
	private static KeepingServer losing(boolean reset) throws Exception {
		return new KeepingServer((request, connection) -> {
			if (request.number() == 1) {
				connection.write(ANSWER);
				return;
			}
			if (reset) {
				connection.reset();
			}
			connection.close();
		});
	}

	/**
	 * Sends requests until the server has dropped one. A connection may not be back in
	 * the pool when the next request is sent, which then gets a new connection.
	 */
	private static void untilOneIsLost(KeepingServer server, Runnable request) {
		AtomicInteger sent = new AtomicInteger();
		await().atMost(LIMIT).until(() -> {
			request.run();
			sent.incrementAndGet();
			return server.requests().stream().anyMatch((received) -> received.number() == 2);
		});
		assertThat(server.requests()).as("one was sent twice").hasSize(sent.get() + 1);
		assertThat(server.requests().get(sent.get()).number()).as("on another connection").isEqualTo(1);
	}

	@ParameterizedTest
	@CsvSource({ "REACTOR_NETTY,false", "REACTOR_NETTY,true", "JDK,false", "JDK,true", "JETTY,false", "JETTY,true" })
	void aListIsRepeatedOnAnotherConnection(Library library, boolean reset) throws Exception {
		try (KeepingServer server = losing(reset)) {
			ListerWatcher<Widget> widgets = widgets(library, server);
			untilOneIsLost(server, () -> assertThat(version(widgets)).isEqualTo("5"));
		}
	}

	@ParameterizedTest
	@CsvSource({ "REACTOR_NETTY,false", "REACTOR_NETTY,true", "JDK,false", "JDK,true", "JETTY,false", "JETTY,true" })
	void aWatchIsRepeatedOnAnotherConnection(Library library, boolean reset) throws Exception {
		try (KeepingServer server = losing(reset)) {
			ListerWatcher<Widget> widgets = widgets(library, server);
			untilOneIsLost(server,
					() -> assertThat(widgets.watch(Clients.watch()).filter(Clients::isFrame).collectList().block(LIMIT))
						.hasSize(1));
		}
	}

	/**
	 * The JDK client is left out: it repeats a request once by itself, and the library
	 * does not see that.
	 */
	@ParameterizedTest
	@EnumSource(names = "JDK", mode = EnumSource.Mode.EXCLUDE)
	void allThatWereKeptMayHaveBeenClosed(Library library) throws Exception {
		CyclicBarrier atOnce = new CyclicBarrier(3);
		AtomicInteger first = new AtomicInteger();
		try (KeepingServer server = new KeepingServer((request, connection) -> {
			if (request.number() == 1) {
				if (first.incrementAndGet() <= 3) {
					// each request has its own connection; a client may have opened more
					atOnce.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
				}
				connection.write(ANSWER);
				return;
			}
			connection.close();
		})) {
			ListerWatcher<Widget> widgets = widgets(library, server);
			Mono<?> list = widgets.list(Clients.list());
			assertThat(Flux.merge(list, list, list).collectList().block(LIMIT)).hasSize(3);
			AtomicInteger sent = new AtomicInteger(3);
			await().atMost(LIMIT).until(() -> {
				sent.incrementAndGet();
				return version(widgets).equals("5")
						&& server.requests().stream().filter((request) -> request.number() == 2).count() >= 3;
			});
			assertThat(server.requests()).filteredOn((request) -> request.number() == 1).hasSize(sent.get());
		}
	}

	/** The JDK client repeats a GET once by itself, on any connection. */
	@ParameterizedTest
	@CsvSource({ "REACTOR_NETTY,false", "REACTOR_NETTY,true", "JETTY,false", "JETTY,true" })
	void aNewConnectionThatIsClosedIsAFailure(Library library, boolean reset) throws Exception {
		try (KeepingServer server = new KeepingServer((request, connection) -> {
			if (reset) {
				connection.reset();
			}
			connection.close();
		})) {
			StepVerifier.create(widgets(library, server).list(Clients.list())).expectError().verify(LIMIT);
			assertThat(server.requests()).hasSize(1);
		}
	}

	@ParameterizedTest
	@EnumSource
	void aRequestIsNotRepeatedWhenItsResponseHasBegun(Library library) throws Exception {
		try (KeepingServer server = new KeepingServer((request, connection) -> {
			connection.write((request.number() == 1) ? ANSWER : ANSWER.substring(0, ANSWER.length() - 1));
			if (request.number() > 1) {
				connection.close();
			}
		})) {
			failsOnceKept(server, widgets(library, server));
		}
	}

	private static void failsOnceKept(KeepingServer server, ListerWatcher<Widget> widgets) {
		AtomicInteger sent = new AtomicInteger();
		await().atMost(LIMIT).until(() -> {
			sent.incrementAndGet();
			return widgets.list(Clients.list()).materialize().block(LIMIT).isOnError();
		});
		assertThat(server.requests()).as("each is sent once").hasSize(sent.get());
		assertThat(server.requests().get(sent.get() - 1).number()).isEqualTo(2);
	}

	@Test
	void oneByteOfTheAnswerIsABeginning() throws Exception {
		try (KeepingServer server = new KeepingServer((request, connection) -> {
			connection.write((request.number() == 1) ? ANSWER : "H");
			if (request.number() > 1) {
				connection.close();
			}
		})) {
			failsOnceKept(server, widgets(Library.REACTOR_NETTY, server));
		}
	}

	enum Library {

		REACTOR_NETTY(ClientHttpConnectorBuilder.reactor()),

		JDK(ClientHttpConnectorBuilder.jdk()),

		JETTY(ClientHttpConnectorBuilder.jetty());

		private final ClientHttpConnectorBuilder<?> builder;

		Library(ClientHttpConnectorBuilder<?> builder) {
			this.builder = builder;
		}

	}

}
