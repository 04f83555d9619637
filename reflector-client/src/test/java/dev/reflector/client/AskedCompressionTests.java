package dev.reflector.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.client.credentials.Route;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.Clients.Widget;
import dev.reflector.client.fixture.Connector;
import dev.reflector.client.fixture.Gzip;
import dev.reflector.client.fixture.RawServer;
import dev.reflector.client.internal.decode.StatusReader;
import dev.reflector.client.internal.frame.Chunk;
import dev.reflector.client.internal.frame.MalformedResponseException;
import dev.reflector.client.options.Compression;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of responses that are compressed on request (X-22, W-62 to W-65).
 */
@Timeout(120)
class AskedCompressionTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final byte[] FIRST = Gzip.of(Clients.frame("ADDED", Clients.json("a", 1)));

	private static final byte[] SECOND = Gzip.of(Clients.frame("ADDED", Clients.json("b", 2)));

	private static ListerWatcher<Widget> widgets(Connector connector, RawServer server, Compression compression) {
		return connector.widgets(server.uri().toString(), Route.DIRECT, null,
				Clients.OPTIONS.withCompression(compression));
	}

	private static RawServer.Script list(byte[] body) {
		return (request, connection) -> {
			connection.head(200, "Content-Type: application/json", "Content-Encoding: gzip",
					"Content-Length: " + body.length);
			connection.write(body);
		};
	}

	private static String name(WatchEvent<Widget> event) {
		return (event instanceof WatchEvent.Added<Widget> added) ? added.object().metadata().name() : event.toString();
	}

	@ParameterizedTest
	@MethodSource("dev.reflector.client.fixture.Connector#some")
	void x22_aMemberPerEventWithPausesIsAStreamThatGoesOn(Connector connector) throws Exception {
		RawServer.Script script = (request, connection) -> {
			connection.head(200, "Content-Type: application/json", "Content-Encoding: gzip", "Connection: close");
			connection.write(FIRST);
			connection.silence(50);
			connection.write(Arrays.copyOf(SECOND, 7));
			connection.silence(20);
			connection.write(Arrays.copyOfRange(SECOND, 7, SECOND.length));
			connection.silence(20);
			connection.write(FIRST);
			connection.write(SECOND);
		};
		try (RawServer server = new RawServer(script)) {
			StepVerifier
				.create(widgets(connector, server, Compression.ALL).watch(Clients.watch())
					.filter(Clients::isFrame)
					.map(AskedCompressionTests::name))
				.expectNext("a", "b", "a", "b")
				.expectComplete()
				.verify(LIMIT);
			assertThat(server.requests()).singleElement()
				.satisfies((request) -> assertThat(request.headers()).containsEntry("accept-encoding", "gzip"));
		}
	}

	@ParameterizedTest
	@MethodSource("dev.reflector.client.fixture.Connector#some")
	void x22_garbageAfterAMemberIsOneClearErrorAndTheEnd(Connector connector) throws Exception {
		RawServer.Script script = (request, connection) -> {
			connection.head(200, "Content-Type: application/json", "Content-Encoding: gzip", "Connection: close");
			connection.write(FIRST);
			connection.write("garbage");
			connection.awaitClose();
		};
		try (RawServer server = new RawServer(script)) {
			StepVerifier
				.create(widgets(connector, server, Compression.ALL).watch(Clients.watch()).filter(Clients::isFrame))
				.assertNext((event) -> assertThat(name(event)).isEqualTo("a"))
				.assertNext((event) -> assertThat(event).isInstanceOfSatisfying(WatchEvent.Error.class, (error) -> {
					assertThat(error.status().isUndecodable()).isTrue();
					assertThat(error.status().message()).contains("not valid gzip");
				}))
				.expectComplete()
				.verify(LIMIT);
		}
	}

	@Test
	void w32_aStreamThatBreaksOffWithinAMemberJustEnds() throws Exception {
		RawServer.Script script = (request, connection) -> {
			connection.head(200, "Content-Type: application/json", "Content-Encoding: gzip", "Connection: close");
			connection.write(FIRST);
			connection.write(Arrays.copyOf(SECOND, 30));
		};
		try (RawServer server = new RawServer(script)) {
			StepVerifier
				.create(widgets(Connector.REACTOR, server, Compression.ALL).watch(Clients.watch())
					.filter(Clients::isFrame)
					.map(AskedCompressionTests::name))
				.expectNext("a")
				.expectComplete()
				.verify(LIMIT);
		}
	}

	@ParameterizedTest
	@MethodSource("dev.reflector.client.fixture.Connector#some")
	void w63_aListIsOneMember(Connector connector) throws Exception {
		byte[] body = Gzip.of("{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[" + Clients.json("a", 1) + "]}");
		try (RawServer server = new RawServer(list(body))) {
			StepVerifier.create(widgets(connector, server, Compression.LISTS).list(Clients.list()))
				.assertNext((page) -> {
					assertThat(page.items()).singleElement()
						.satisfies((widget) -> assertThat(widget.metadata().name()).isEqualTo("a"));
					assertThat(page.resourceVersion()).isEqualTo("9");
				})
				.expectComplete()
				.verify(LIMIT);
			assertThat(server.requests()).singleElement()
				.satisfies((request) -> assertThat(request.headers()).containsEntry("accept-encoding", "gzip"));
		}
	}

	static Stream<Arguments> brokenLists() {
		byte[] body = Gzip.of("{\"items\":[]}");
		byte[] wrongSum = body.clone();
		wrongSum[body.length - 8] ^= 1;
		return Stream.of(Arguments.of(Arrays.copyOf(body, body.length - 1), "breaks off"),
				Arguments.of(wrongSum, "not valid gzip"), Arguments.of("{\"items\":[]}".getBytes(), "not valid gzip"),
				Arguments.of(Gzip.of("{\"items\":[" + " ".repeat(20 * 1024 * 1024)), "200 times"));
	}

	@ParameterizedTest
	@MethodSource("brokenLists")
	void aListThatIsDamagedOrBreaksOffOrIsABombIsAnError(byte[] body, String message) throws Exception {
		try (RawServer server = new RawServer(list(body))) {
			StepVerifier.create(widgets(Connector.REACTOR, server, Compression.LISTS).list(Clients.list()))
				.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOf(MalformedResponseException.class)
					.hasMessageContaining(message))
				.verify(LIMIT);
		}
	}

	@Test
	void aFailureMayBeCompressedToo() throws Exception {
		byte[] body = Gzip.of("""
				{"apiVersion":"v1","kind":"Status","code":410,"reason":"Expired","message":"too old"}""");
		RawServer.Script script = (request, connection) -> {
			connection.head(410, "Content-Type: application/json", "Content-Encoding: gzip",
					"Content-Length: " + body.length);
			connection.write(body);
		};
		try (RawServer server = new RawServer(script)) {
			StepVerifier.create(widgets(Connector.REACTOR, server, Compression.LISTS).list(Clients.list()))
				.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOfSatisfying(ApiException.class,
						(answered) -> assertThat(answered.status().reason()).isEqualTo("Expired")))
				.verify(LIMIT);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 1000, Chunk.CAPACITY - 60, Chunk.CAPACITY, 40_000 })
	void aFailureMeansTheSameWhenItIsCompressed(int length) throws Exception {
		String message = "m".repeat(length);
		String status = "{\"apiVersion\":\"v1\",\"kind\":\"Status\",\"code\":409,\"reason\":\"Conflict\",\"message\":\""
				+ message + "\",\"details\":{\"retryAfterSeconds\":7}}";
		assertThat(failure(status, true)).isEqualTo(failure(status, false)).satisfies((told) -> {
			assertThat(told.message()).isEqualTo("m".repeat(Math.min(length, StatusReader.MAX_TEXT)));
			assertThat(told.retryAfterSeconds()).as("what follows the message").isEqualTo(7);
		});
		assertThat(failure(message, true)).isEqualTo(failure(message, false));
	}

	private static Status failure(String text, boolean compressed) throws Exception {
		byte[] plain = text.getBytes(StandardCharsets.UTF_8);
		byte[] body = compressed ? Gzip.of(text) : plain;
		RawServer.Script script = (request, connection) -> {
			connection.head(409, "Content-Type: " + (text.startsWith("{") ? "application/json" : "text/plain"),
					"Content-Encoding: " + (compressed ? "gzip" : "identity"), "Content-Length: " + body.length);
			connection.write(body);
		};
		try (RawServer server = new RawServer(script)) {
			AtomicReference<Status> status = new AtomicReference<>();
			StepVerifier.create(widgets(Connector.REACTOR, server, Compression.LISTS).list(Clients.list()))
				.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOfSatisfying(ApiException.class,
						(answered) -> status.set(answered.status())))
				.verify(LIMIT);
			return status.get();
		}
	}

	@Test
	void aFailureIsReportedEvenIfItsBodyIsDamagedOrTooLarge() throws Exception {
		String status = "{\"apiVersion\":\"v1\",\"kind\":\"Status\",\"code\":503,\"message\":\"overloaded\"}";
		byte[] body = Gzip.of(status);
		// without the checksum, damaged, no gzip, and far more bytes than allowed
		for (byte[] damaged : new byte[][] { Arrays.copyOf(body, body.length - 8), Arrays.copyOf(body, 20),
				status.getBytes(StandardCharsets.UTF_8), Gzip.of(" ".repeat(20 * 1024 * 1024)) }) {
			RawServer.Script script = (request, connection) -> {
				connection.head(503, "Content-Type: application/json", "Content-Encoding: gzip",
						"Content-Length: " + damaged.length);
				connection.write(damaged);
			};
			try (RawServer server = new RawServer(script)) {
				StepVerifier.create(widgets(Connector.REACTOR, server, Compression.LISTS).list(Clients.list()))
					.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOfSatisfying(ApiException.class,
							(answered) -> assertThat(answered.status().code()).isEqualTo(503)))
					.verify(LIMIT);
			}
		}
	}

	@Test
	void watchesAreNotAskedForInThatFormWhenListsAloneAre() throws Exception {
		RawServer.Script script = (request, connection) -> {
			connection.openWatch();
			connection.write(Clients.frame("ADDED", Clients.json("a", 1)));
		};
		try (RawServer server = new RawServer(script)) {
			StepVerifier
				.create(widgets(Connector.REACTOR, server, Compression.LISTS).watch(Clients.watch())
					.filter(Clients::isFrame))
				.assertNext((event) -> assertThat(name(event)).isEqualTo("a"))
				.thenCancel()
				.verify(LIMIT);
			assertThat(server.requests()).singleElement()
				.satisfies((request) -> assertThat(request.headers()).containsEntry("accept-encoding", "identity"));
		}
	}

}
