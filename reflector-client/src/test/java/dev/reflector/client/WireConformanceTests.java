package dev.reflector.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.Clients.Widget;
import dev.reflector.client.fixture.Connector;
import dev.reflector.client.fixture.RawServer;
import dev.reflector.client.internal.frame.MalformedResponseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the frames of a watch: client-go's tests (C-419 to C-423, C-436, C-437), and some
 * that client-go does not have.
 */
@ParameterizedClass
@MethodSource("dev.reflector.client.fixture.Connector#some")
@Timeout(120)
class WireConformanceTests {

	@Parameter
	private Connector connector;

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final String ADDED = Clients.frame("ADDED", Clients.json("a", 1));

	private static final String BOOKMARK = Clients.frame("BOOKMARK", "{\"metadata\":{\"resourceVersion\":\"9\"}}");

	private Flux<WatchEvent<Widget>> watch(RawServer server) {
		return this.connector.widgets(server).watch(Clients.watch()).filter(Clients::isFrame);
	}

	private static void assertUndecodable(WatchEvent<Widget> event, String... message) {
		assertThat(event).isInstanceOfSatisfying(WatchEvent.Error.class, (error) -> {
			// client-go reports a 500, as if the server had sent it
			assertThat(error.status().code()).isZero();
			assertThat(error.status().reason()).isEqualTo("MalformedResponse");
			assertThat(error.status().isUndecodable()).isTrue();
			assertThat(error.status().causes()).extracting(Status.Cause::reason)
				.contains("UnexpectedServerResponse", "ClientWatchDecoding");
			assertThat(error.status().message()).contains(message);
		});
	}

	@Test
	void c419_nothingIsReadAfterTheStop() throws Exception {
		CountDownLatch closed = new CountDownLatch(1);
		RawServer.Script script = (request, connection) -> {
			connection.openWatch();
			connection.write(ADDED);
			connection.awaitClose();
			closed.countDown();
		};
		try (RawServer server = new RawServer(script)) {
			StepVerifier.create(watch(server))
				.assertNext((event) -> assertThat(event).isInstanceOf(WatchEvent.Added.class))
				.thenCancel()
				.verify(LIMIT);
			assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "garbage", "{\"type\":", "[]", "null" })
	void c420_undecodableBytesAreOneErrorAndTheEnd(String bytes) throws Exception {
		CountDownLatch closed = new CountDownLatch(1);
		RawServer.Script script = (request, connection) -> {
			connection.openWatch();
			connection.write(ADDED + bytes + BOOKMARK + bytes + ADDED);
			connection.awaitClose();
			closed.countDown();
		};
		try (RawServer server = new RawServer(script)) {
			StepVerifier.create(watch(server))
				.assertNext((event) -> assertThat(event).isInstanceOf(WatchEvent.Added.class))
				.assertNext((event) -> assertUndecodable(event, "(watch): "))
				.expectComplete()
				.verify(LIMIT);
			assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
		}
	}

	/** The bytes come before or after the reader has stopped. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void c420_undecodableBytesAfterTheStopAreNotReported(boolean before) throws Exception {
		CountDownLatch stopped = new CountDownLatch(1);
		CountDownLatch closed = new CountDownLatch(1);
		RawServer.Script script = (request, connection) -> {
			connection.openWatch();
			connection.write(before ? ADDED + "garbage" : ADDED);
			if (!before) {
				await(stopped);
				writeUnlessClosed(connection, "garbage");
			}
			connection.awaitClose();
			closed.countDown();
		};
		List<Throwable> dropped = new CopyOnWriteArrayList<>();
		List<WatchEvent<Widget>> events = new CopyOnWriteArrayList<>();
		Hooks.onErrorDropped(dropped::add);
		try (RawServer server = new RawServer(script)) {
			watch(server).doOnNext(events::add).take(1).blockLast(LIMIT);
			stopped.countDown();
			assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
			assertThat(events).singleElement().isInstanceOf(WatchEvent.Added.class);
			assertThat(dropped).isEmpty();
		}
		finally {
			Hooks.resetOnErrorDropped();
		}
	}

	private static void writeUnlessClosed(RawServer.Connection connection, String bytes) {
		try {
			connection.write(bytes);
		}
		catch (IOException ex) {
			// the client has closed the connection first
		}
	}

	@Test
	void c421_aStopWithAnUnreadErrorClosesTheConnection() throws Exception {
		CountDownLatch written = new CountDownLatch(1);
		CountDownLatch closed = new CountDownLatch(1);
		RawServer.Script script = (request, connection) -> {
			connection.openWatch();
			connection.write("garbage");
			written.countDown();
			connection.awaitClose();
			closed.countDown();
		};
		try (RawServer server = new RawServer(script)) {
			// requests only the first signal, that the watch is open
			StepVerifier.create(this.connector.widgets(server).watch(Clients.watch()), 1)
				.expectNextCount(1)
				.then(() -> await(written))
				.thenCancel()
				.verify(LIMIT);
			assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void c422_c423_oneFrameOfEachTypeAndThenTheEnd() throws IOException {
		String status = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":410,\"reason\":\"Expired\"}";
		String body = ADDED + Clients.frame("MODIFIED", Clients.json("a", 2)) + BOOKMARK
				+ Clients.frame("DELETED", Clients.json("a", 3)) + Clients.frame("ERROR", status);
		try (RawServer server = RawServer.answering(body)) {
			StepVerifier.create(watch(server))
				.assertNext((event) -> assertReplicas(WatchEvent.Added.class, event, 1))
				.assertNext((event) -> assertReplicas(WatchEvent.Modified.class, event, 2))
				.expectNext(new WatchEvent.Bookmark<>("9", false))
				.assertNext((event) -> assertReplicas(WatchEvent.Deleted.class, event, 3))
				.assertNext((event) -> assertThat(event).isInstanceOfSatisfying(WatchEvent.Error.class,
						(error) -> assertThat(error.status().isExpired()).isTrue()))
				.expectComplete()
				.verify(LIMIT);
		}
	}

	private static void assertReplicas(Class<?> type, WatchEvent<Widget> event, int replicas) {
		assertThat(event).isInstanceOf(type).extracting("object.spec").isEqualTo(new Widget.Spec(replicas, "\"ä€😀\\"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/json", "application/json;stream=watch", "Application/JSON; charset=utf-8",
			"application/json;as=Widget;g=example.com;v=v1", "application/vnd.example+json", "text/json", "" })
	void c436_theTypeOfTheAnswerMayBeAnyJson(String contentType) throws IOException {
		try (RawServer server = RawServer.answering(contentType, bytes(ADDED))) {
			StepVerifier.create(watch(server)).expectNextCount(1).expectComplete().verify(LIMIT);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "foobar", "text/html; charset=utf-8", "application/vnd.kubernetes.protobuf;stream=watch",
			"application/cbor-seq" })
	void c437_anAnswerOfAnotherTypeIsAnError(String contentType) throws IOException {
		try (RawServer server = RawServer.answering(contentType, bytes(ADDED))) {
			StepVerifier.create(watch(server))
				.assertNext((event) -> assertUndecodable(event, "'" + contentType + "'", "(watch)"))
				.expectComplete()
				.verify(LIMIT);
			StepVerifier.create(this.connector.widgets(server).list(Clients.list()))
				.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOf(MalformedResponseException.class)
					.hasMessageContaining("'" + contentType + "'"))
				.verify(LIMIT);
		}
	}

	@Test
	void x23_framesInOnePacketAndFramesLargerThanAnyPacket() throws IOException {
		String large = Clients.json("large", 2)
			.replace("\"unknown\":", "\"x\":\"" + "€".repeat(1 << 20) + "\",\"unknown\":");
		byte[] body = bytes(ADDED + ADDED + Clients.frame("MODIFIED", large) + BOOKMARK);
		RawServer.Script script = (request, connection) -> {
			connection.openWatch();
			// a prime number, so that parts also end within multi-byte characters
			for (int from = 0; from < body.length; from += 65_537) {
				connection.write(Arrays.copyOfRange(body, from, Math.min(body.length, from + 65_537)));
			}
		};
		try (RawServer server = new RawServer(script)) {
			StepVerifier.create(watch(server))
				.expectNextCount(2)
				.assertNext((event) -> assertReplicas(WatchEvent.Modified.class, event, 2))
				.expectNext(new WatchEvent.Bookmark<>("9", false))
				.expectComplete()
				.verify(LIMIT);
		}
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
