package dev.reflector.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.client.credentials.Route;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.Clients.Widget;
import dev.reflector.client.fixture.Connector;
import dev.reflector.client.fixture.Gzip;
import dev.reflector.client.fixture.RawServer;
import dev.reflector.client.internal.frame.MalformedResponseException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of responses that are compressed although this was not requested (X-22, W-62 to
 * W-65): with every connector, none of them makes a stream end or stop without an error.
 */
@Timeout(120)
class CompressedAnswerTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final byte[] FIRST = Gzip.of(Clients.frame("ADDED", Clients.json("a", 1)));

	private static final byte[] SECOND = Gzip.of(Clients.frame("ADDED", Clients.json("b", 1)));

	private static ListerWatcher<Widget> widgets(Connector connector, RawServer server) {
		return connector.widgets(server.uri().toString(), Route.DIRECT, null, Clients.OPTIONS);
	}

	private interface Body {

		void write(RawServer.Connection connection) throws IOException;

	}

	private enum Form implements Body {

		ONE_MEMBER((connection) -> connection.write(FIRST)),

		A_MEMBER_PER_EVENT_WITH_A_PAUSE((connection) -> {
			connection.write(FIRST);
			if (connection.silence(50)) {
				connection.write(SECOND);
			}
		}),

		A_MEMBER_SPLIT_ACROSS_PACKETS((connection) -> {
			connection.write(Arrays.copyOfRange(FIRST, 0, 7));
			if (connection.silence(20)) {
				connection.write(Arrays.copyOfRange(FIRST, 7, FIRST.length));
			}
		}),

		GARBAGE_AFTER_A_MEMBER((connection) -> {
			connection.write(FIRST);
			connection.write("garbage");
		});

		private final Body body;

		Form(Body body) {
			this.body = body;
		}

		@Override
		public void write(RawServer.Connection connection) throws IOException {
			this.body.write(connection);
		}

	}

	static Stream<Arguments> answers() {
		return Arrays.stream(Form.values())
			.flatMap((form) -> Connector.some().map((connector) -> Arguments.of(form, connector)));
	}

	@ParameterizedTest
	@MethodSource("answers")
	void x22_aWatchThatIsCompressedNeverthelessIsOneClearErrorAndTheEnd(Form form, Connector connector)
			throws Exception {
		CountDownLatch closed = new CountDownLatch(1);
		RawServer.Script script = (request, connection) -> {
			try {
				connection.head(200, "Content-Type: application/json", "Content-Encoding: gzip", "Connection: close");
				form.write(connection);
				connection.awaitClose();
			}
			finally {
				closed.countDown();
			}
		};
		try (RawServer server = new RawServer(script)) {
			StepVerifier.create(widgets(connector, server).watch(Clients.watch()).filter(Clients::isFrame))
				.assertNext((event) -> assertThat(event).isInstanceOfSatisfying(WatchEvent.Error.class, (error) -> {
					assertThat(error.status().isUndecodable()).isTrue();
					assertThat(error.status().message()).contains("content encoding 'gzip'", "'identity'", "proxy");
				}))
				.expectComplete()
				.verify(LIMIT);
			if (connector != Connector.JETTY) {
				// Jetty keeps reading the body
				assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
			}
			assertThat(server.requests()).singleElement()
				.satisfies((request) -> assertThat(request.headers()).containsEntry("accept-encoding", "identity"));
		}
	}

	@ParameterizedTest
	@MethodSource("dev.reflector.client.fixture.Connector#some")
	void x22_aListThatIsCompressedNeverthelessIsAClearError(Connector connector) throws Exception {
		byte[] body = Gzip.of("{\"items\":[]}");
		RawServer.Script script = (request, connection) -> {
			connection.head(200, "Content-Type: application/json", "Content-Encoding: gzip",
					"Content-Length: " + body.length);
			connection.write(body);
		};
		try (RawServer server = new RawServer(script)) {
			StepVerifier.create(widgets(connector, server).list(Clients.list()))
				.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOf(MalformedResponseException.class)
					.hasMessageContaining("content encoding 'gzip'"))
				.verify(LIMIT);
			assertThat(server.requests()).singleElement()
				.satisfies((request) -> assertThat(request.headers()).containsEntry("accept-encoding", "identity"));
		}
	}

	@ParameterizedTest
	@MethodSource("dev.reflector.client.fixture.Connector#some")
	void x22_compressionThatIsNotEvenDeclaredIsAnErrorToo(Connector connector) throws Exception {
		RawServer.Script script = (request, connection) -> {
			connection.openWatch();
			connection.write(FIRST);
		};
		try (RawServer server = new RawServer(script)) {
			StepVerifier.create(widgets(connector, server).watch(Clients.watch()).filter(Clients::isFrame))
				.assertNext((event) -> assertThat(event).isInstanceOf(WatchEvent.Error.class))
				.expectComplete()
				.verify(LIMIT);
		}
	}

}
