package dev.reflector.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.ResourceKey;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.Clients.Widget;
import dev.reflector.client.fixture.Connector;
import dev.reflector.client.fixture.RawServer;
import dev.reflector.fixture.LongForm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests what watches of {@link WebClientListerWatcher} ask for, decode and report, over a
 * real socket.
 */
@ParameterizedClass
@MethodSource("dev.reflector.client.fixture.Connector#some")
class WatchTests {

	@Parameter
	private Connector connector;

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final String BOOKMARK = Clients.frame("BOOKMARK", "{\"metadata\":{\"resourceVersion\":\"9\"}}");

	@Test
	void readsFramesSplitAtEveryPosition() throws IOException {
		byte[] bytes = (Clients.frame("ADDED", Clients.json("a", 1)) + Clients.frame("MODIFIED", Clients.json("a", 2))
				+ "\n" + BOOKMARK + " " + Clients.frame("DELETED", Clients.json("a", 2)))
			.getBytes(StandardCharsets.UTF_8);
		AtomicInteger split = new AtomicInteger();
		// each library reads them split at others of the positions
		int step = LongForm.times(6, 13);
		RawServer.Script script = (request, connection) -> {
			connection.openWatch();
			connection.write(Arrays.copyOfRange(bytes, 0, split.get()));
			connection.write(Arrays.copyOfRange(bytes, split.get(), bytes.length));
		};
		try (RawServer server = new RawServer(script)) {
			var watch = this.connector.widgets(server).watch(Clients.watch()).filter(Clients::isFrame);
			for (; split.get() <= bytes.length; split.incrementAndGet()) {
				boolean inCharacter = split.get() < bytes.length && bytes[split.get()] < 0;
				if (!inCharacter && (split.get() + this.connector.ordinal()) % step != 0) {
					continue;
				}
				StepVerifier.create(watch)
					.assertNext((event) -> assertThat(event).isInstanceOf(WatchEvent.Added.class))
					.assertNext((event) -> assertThat(event).isInstanceOfSatisfying(WatchEvent.Modified.class,
							(modified) -> assertThat(((Widget) modified.object()).spec())
								.isEqualTo(new Widget.Spec(2, "\"ä€😀\\"))))
					.expectNext(new WatchEvent.Bookmark<>("9", false))
					.assertNext((event) -> assertThat(event).isInstanceOf(WatchEvent.Deleted.class))
					.expectComplete()
					.verify(LIMIT);
			}
		}
	}

	@Test
	void deliversAFrameAsSoonAsItIsThere() throws IOException {
		CountDownLatch received = new CountDownLatch(1);
		RawServer.Script script = (request, connection) -> {
			connection.openWatch();
			connection.write(Clients.frame("ADDED", Clients.json("a", 1)));
			received.await(60, TimeUnit.SECONDS);
			connection.write(BOOKMARK);
		};
		try (RawServer server = new RawServer(script)) {
			StepVerifier.create(this.connector.widgets(server).watch(Clients.watch()).filter(Clients::isFrame))
				.expectNextCount(1)
				.then(received::countDown)
				.expectNext(new WatchEvent.Bookmark<>("9", false))
				.expectComplete()
				.verify(LIMIT);
		}
	}

	@Test
	void readsLargeObjectsAndSkipsThoseBeyondTheLimit() throws IOException {
		String large = Clients.json("large", 1)
			.replace("\"unknown\":", "\"x\":\"" + "y".repeat(5 << 20) + "\",\"unknown\":");
		String body = Clients.frame("ADDED", Clients.json("a", 1)) + Clients.frame("MODIFIED", large) + BOOKMARK;
		try (RawServer server = RawServer.answering(body)) {
			StepVerifier.create(this.connector.widgets(server).watch(Clients.watch()).filter(Clients::isFrame))
				.expectNextCount(1)
				.assertNext((event) -> assertThat(event).isInstanceOf(WatchEvent.Modified.class))
				.expectNextCount(1)
				.expectComplete()
				.verify(LIMIT);
			StepVerifier
				.create(Clients.widgets(this.connector.client(server.uri(), Clients.maxObjectSize(100_000)))
					.watch(Clients.watch())
					.filter(Clients::isFrame))
				.expectNextCount(1)
				.assertNext((event) -> assertThat(event).isInstanceOfSatisfying(WatchEvent.Skipped.class, (skipped) -> {
					assertThat(skipped.type()).isEqualTo("MODIFIED");
					assertThat(skipped.object().key()).isEqualTo(new ResourceKey("ns", "large"));
					assertThat(skipped.object().reason()).contains("reflector.api-server.max-object-size");
				}))
				.expectNext(new WatchEvent.Bookmark<>("9", false))
				.expectComplete()
				.verify(LIMIT);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "garbage", "<html></html>", "{\"type\":\"PATCHED\",\"object\":{}}{}", "{\"type\"]" })
	void endsWithOneErrorWhenTheBytesAreInvalid(String garbage) throws IOException {
		RawServer.Script script = (request, connection) -> {
			connection.openWatch();
			connection.write(BOOKMARK + BOOKMARK + garbage + BOOKMARK);
			connection.awaitClose();
		};
		try (RawServer server = new RawServer(script)) {
			StepVerifier.create(this.connector.widgets(server).watch(Clients.watch()).filter(Clients::isFrame))
				.expectNextCount(2)
				.assertNext((event) -> assertThat(event).isInstanceOfSatisfying(WatchEvent.Error.class, (error) -> {
					assertThat(error.status().isUndecodable()).isTrue();
					assertThat(error.status().isUndecodable()).isTrue();
				}))
				.expectComplete()
				.verify(LIMIT);
		}
	}

	@Test
	void endsWithAnErrorWhenTheBodyIsCompressedNevertheless() throws IOException {
		RawServer.Script script = (request, connection) -> connection.head(200, "Content-Encoding: gzip",
				"Connection: close");
		try (RawServer server = new RawServer(script)) {
			StepVerifier.create(this.connector.widgets(server).watch(Clients.watch()).filter(Clients::isFrame))
				.assertNext((event) -> assertThat(event).isInstanceOfSatisfying(WatchEvent.Error.class,
						(error) -> assertThat(error.status().message()).contains("gzip")))
				.expectComplete()
				.verify(LIMIT);
		}
	}

	@Test
	void completesWhenTheConnectionIsLost() throws IOException {
		RawServer.Script reset = (request, connection) -> {
			connection.openWatch();
			connection.write(BOOKMARK);
			connection.awaitClose();
		};
		RawServer.Script withinAChunk = (request, connection) -> {
			connection.head(200, "Transfer-Encoding: chunked");
			connection.write("1000\r\n" + BOOKMARK + "{\"type\":");
		};
		RawServer.Script withinAFrame = (request, connection) -> {
			connection.openWatch();
			connection.write(BOOKMARK + "{\"type\":\"ADDED\",\"obj");
		};
		for (RawServer.Script script : new RawServer.Script[] { reset, withinAChunk, withinAFrame }) {
			try (RawServer server = new RawServer(script)) {
				StepVerifier.create(this.connector.widgets(server).watch(Clients.watch()).filter(Clients::isFrame))
					.expectNextCount(1)
					.then(() -> {
						if (script == reset) {
							server.resetAll();
						}
					})
					.expectComplete()
					.verify(LIMIT);
			}
		}
	}

	@Test
	void failsWhenTheConnectionIsLostBeforeTheAnswer() throws IOException {
		try (RawServer server = new RawServer((request, connection) -> connection.reset())) {
			StepVerifier.create(this.connector.widgets(server).watch(Clients.watch()).filter(Clients::isFrame))
				.expectError()
				.verify(LIMIT);
		}
		try (Socket unused = new Socket()) {
			// bound, so that the port is not reused, but not listening
			unused.bind(new InetSocketAddress("127.0.0.1", 0));
			ApiServerClient client = this.connector.client(URI.create("http://127.0.0.1:" + unused.getLocalPort()),
					Clients.OPTIONS);
			StepVerifier.create(Clients.widgets(client).watch(Clients.watch()).filter(Clients::isFrame))
				.expectErrorSatisfies(ListTests::assertNotConnected)
				.verify(LIMIT);
		}
	}

	@Test
	void reportsFailuresOfTheServer() throws IOException {
		RawServer.Script script = (request, connection) -> {
			connection.head(410, "Content-Type: application/json", "Connection: close");
			connection.write("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":410,\"reason\":\"Expired\"}");
		};
		try (RawServer server = new RawServer(script)) {
			StepVerifier.create(this.connector.widgets(server).watch(Clients.watch()).filter(Clients::isFrame))
				.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOfSatisfying(ApiException.class,
						(failure) -> assertThat(failure.status().isExpired()).isTrue()))
				.verify(LIMIT);
		}
	}

	@Test
	void closesTheConnectionWhenCancelled() throws Exception {
		CountDownLatch closed = new CountDownLatch(1);
		RawServer.Script script = (request, connection) -> {
			connection.openWatch();
			connection.write(BOOKMARK);
			connection.awaitClose();
			closed.countDown();
		};
		try (RawServer server = new RawServer(script)) {
			StepVerifier.create(this.connector.widgets(server).watch(Clients.watch()).filter(Clients::isFrame))
				.expectNextCount(1)
				.thenCancel()
				.verify(LIMIT);
			assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
		}
	}

	@Test
	void decodesOnTheGivenScheduler() throws IOException {
		try (RawServer server = RawServer.answering(BOOKMARK)) {
			StepVerifier
				.create(this.connector.widgets(server)
					.watch(Clients.watch())
					.filter(Clients::isFrame)
					.map((event) -> Thread.currentThread().getName()))
				.assertNext((thread) -> assertThat(thread).startsWith("decode"))
				.expectComplete()
				.verify(LIMIT);
		}
	}

	@Test
	void sendsTheGoldenRequest() throws IOException {
		try (RawServer server = RawServer.answering("")) {
			this.connector.widgets(server)
				.watch(new WatchOptions("ns", "12", Duration.ofSeconds(432), true, false))
				.blockLast(LIMIT);
			assertThat(server.requests().get(0).target()).isEqualTo("/apis/example.com/v1/namespaces/ns/widgets"
					+ "?resourceVersion=12&allowWatchBookmarks=true&timeoutSeconds=432&watch=true");
			assertThat(server.requests().get(0).headers()).containsEntry("accept-encoding", "identity")
				.containsEntry("accept", "application/json");
		}
	}

}
