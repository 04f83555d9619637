package dev.reflector.client;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.Clients.Widget;
import dev.reflector.client.fixture.Connector;
import dev.reflector.client.fixture.RawServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests how often a request is sent, and over which connection (C-429 to C-457). Requests
 * that client-go repeats in its HTTP layer are sent once here: the engine repeats them,
 * with its own delays. Only a request over a connection that the server was closing is
 * repeated at once.
 */
@ParameterizedClass
@MethodSource("dev.reflector.client.fixture.Connector#some")
@Timeout(120)
class AttemptConformanceTests {

	@Parameter
	private Connector connector;

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final String LIST = "{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[]}";

	private static Mono<Void> ask(ListerWatcher<Widget> widgets, String verb) {
		return verb.equals("list") ? widgets.list(Clients.list()).then() : widgets.watch(Clients.watch()).then();
	}

	private static RawServer answering(int code, String body, String... headers) throws IOException {
		return new RawServer((request, connection) -> {
			connection.write("HTTP/1.1 " + code + " Whatever\r\n");
			for (String header : headers) {
				connection.write(header + "\r\n");
			}
			connection.write("Content-Type: application/json\r\nConnection: close\r\n\r\n" + body);
		});
	}

	@ParameterizedTest
	@CsvSource({ "403,Forbidden,true", "403,Forbidden,false", "401,Unauthorized,true", "401,Unauthorized,false" })
	void c429_c430_aRefusedWatchIsRequestedOnce(int code, String reason, boolean status) throws IOException {
		String body = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":" + code + ",\"reason\":\"" + reason
				+ "\",\"message\":\"said so\"}";
		try (RawServer server = answering(code, status ? body : "")) {
			StepVerifier.create(ask(this.connector.widgets(server), "watch"))
				.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOfSatisfying(ApiException.class, (failure) -> {
					assertThat(failure.status().code()).isEqualTo(code);
					assertThat(failure.status().reason()).isEqualTo(reason);
					assertThat(failure.status().message()).isEqualTo(status ? "said so" : "");
				}))
				.verify(LIMIT);
			assertThat(server.requests()).hasSize(1);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "list", "watch" })
	void c431_anAnswerThatIsNoHttpIsAnErrorAtOnce(String verb) throws IOException {
		try (RawServer server = new RawServer((request, connection) -> connection.write("no HTTP\r\n\r\n"))) {
			StepVerifier.create(ask(this.connector.widgets(server), verb)).expectError().verify(LIMIT);
			assertThat(server.requests()).hasSize(1);
		}
	}

	@ParameterizedTest
	@CsvSource({ "list,true", "list,false", "watch,true", "watch,false" })
	void c432_c447_aConnectionThatEndsBeforeTheAnswerIsAnErrorOfTheConnection(String verb, boolean reset)
			throws IOException {
		RawServer.Script script = (request, connection) -> {
			if (reset) {
				connection.reset();
			}
		};
		try (RawServer server = new RawServer(script)) {
			StepVerifier.create(ask(this.connector.widgets(server), verb))
				.expectErrorSatisfies((ex) -> assertThat(ex).hasRootCauseInstanceOf(IOException.class))
				.verify(LIMIT);
			// the connector tries another connection once, because the first may be stale
			assertThat(server.requests()).hasSizeBetween(1, 2);
		}
	}

	@Test
	void c440_aThrottledRequestReportsTheDelayAndTheFlowSchema() throws IOException {
		try (RawServer server = answering(429, "", "Retry-After: 2", "X-Kubernetes-PF-FlowSchema-UID: fs-1")) {
			StepVerifier.create(ask(this.connector.widgets(server), "list"))
				.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOfSatisfying(ApiException.class, (failure) -> {
					assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(2));
					assertThat(failure).hasMessageContaining("throttled by the flow schema with UID fs-1");
				}))
				.verify(LIMIT);
		}
	}

	@Test
	void c443_aResponseWithAnIncompleteBodyStillCounts() throws IOException {
		try (RawServer server = answering(503, "cut off", "Retry-After: 3", "Content-Length: 1000")) {
			StepVerifier.create(ask(this.connector.widgets(server), "list"))
				.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOfSatisfying(ApiException.class, (failure) -> {
					assertThat(failure.status().code()).isEqualTo(503);
					assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(3));
				}))
				.verify(LIMIT);
		}
	}

	@ParameterizedTest
	@CsvSource({ "429,", "429,0", "500,", "500,1", "503,3", "504,1", "301,1", "302," })
	void c445_c446_c451_anyFailureIsReportedAtOnce(int code, String retryAfter) throws IOException {
		String header = (retryAfter != null) ? "Retry-After: " + retryAfter : "X-Other: 1";
		for (String verb : new String[] { "list", "watch" }) {
			try (RawServer server = answering(code, "", header, "Location: /elsewhere")) {
				StepVerifier.create(ask(this.connector.widgets(server), verb))
					.expectErrorSatisfies(
							(ex) -> assertThat(ex).isInstanceOfSatisfying(ApiException.class, (failure) -> {
								assertThat(failure.status().code()).isEqualTo(code);
								assertThat(failure.retryAfter())
									.hasSeconds((retryAfter != null) ? Long.parseLong(retryAfter) : 0);
							}))
					.verify(LIMIT);
				assertThat(server.requests()).hasSize(1);
			}
		}
	}

	@Test
	void c451_aSuccessIgnoresItsRetryAfter() throws IOException {
		try (RawServer server = answering(200, LIST, "Retry-After: 1")) {
			assertThat(this.connector.widgets(server).list(Clients.list()).block(LIMIT).resourceVersion())
				.isEqualTo("5");
			assertThat(server.requests()).hasSize(1);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "list", "watch" })
	void c450_c455_aSilentConnectionIsReplacedByAnother(String verb) throws IOException {
		AtomicBoolean silent = new AtomicBoolean(true);
		RawServer.Script script = (request, connection) -> {
			if (silent.get()) {
				connection.awaitClose();
				return;
			}
			connection.openWatch();
			connection.write(LIST);
		};
		AtomicInteger asked = new AtomicInteger();
		try (RawServer server = new RawServer(script)) {
			ListerWatcher<Widget> widgets = Clients
				.widgets(this.connector.client(server.uri(), Clients.idle(Duration.ofMillis(300))));
			// on a slow machine, the timeout may come before a request is sent or
			// answered
			Awaitility.await().until(() -> {
				asked.incrementAndGet();
				StepVerifier.create(ask(widgets, verb))
					.expectErrorMatches((ex) -> Exceptions.unwrap(ex) instanceof TimeoutException)
					.verify(LIMIT);
				return !server.requests().isEmpty();
			});
			assertThat(server.requests()).as("each is sent once").hasSizeLessThanOrEqualTo(asked.get());
			silent.set(false);
			Awaitility.await()
				.ignoreExceptionsMatching((ex) -> Exceptions.unwrap(ex) instanceof TimeoutException)
				.until(() -> {
					asked.incrementAndGet();
					return widgets.list(Clients.list()).block(LIMIT).resourceVersion();
				}, "5"::equals);
			assertThat(server.requests()).hasSizeBetween(2, asked.get());
		}
	}

	@Test
	void c456_aPooledConnectionThatBrokeIsReplaced() throws IOException {
		// the response allows to reuse the connection, but the server closes it
		RawServer.Script script = (request, connection) -> connection
			.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + LIST.length() + "\r\n\r\n"
					+ LIST);
		try (RawServer server = new RawServer(script)) {
			ListerWatcher<Widget> widgets = this.connector.widgets(server);
			for (int i = 0; i < 5; i++) {
				assertThat(widgets.list(Clients.list()).block(LIMIT).resourceVersion()).isEqualTo("5");
			}
			assertThat(server.requests()).hasSize(5);
		}
	}

	@Test
	void c457_aHangingRequestDoesNotBlockOthers() throws IOException {
		AtomicInteger requests = new AtomicInteger();
		RawServer.Script script = (request, connection) -> {
			if (requests.incrementAndGet() == 1) {
				connection.awaitClose();
				return;
			}
			connection.openWatch();
			connection.write(LIST);
		};
		try (RawServer server = new RawServer(script)) {
			ListerWatcher<Widget> widgets = this.connector.widgets(server);
			Disposable hanging = widgets.list(Clients.list()).subscribe();
			// the hanging request must be the first one
			Awaitility.await().until(() -> requests.get() == 1);
			assertThat(widgets.list(Clients.list()).block(LIMIT).resourceVersion()).isEqualTo("5");
			assertThat(hanging.isDisposed()).isFalse();
			hanging.dispose();
		}
	}

}
