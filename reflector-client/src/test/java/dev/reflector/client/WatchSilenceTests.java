package dev.reflector.client;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.reflector.cache.source.WatchEvent;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.Clients.Widget;
import dev.reflector.client.fixture.Connector;
import dev.reflector.client.fixture.RawServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Exceptions;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests how long watches of {@link WebClientListerWatcher} may be silent, over a real
 * socket.
 */
@ParameterizedClass
@MethodSource("dev.reflector.client.fixture.Connector#some")
class WatchSilenceTests {

	@Parameter
	private Connector connector;

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final String BOOKMARK = Clients.frame("BOOKMARK", "{\"metadata\":{\"resourceVersion\":\"9\"}}");

	@Test
	void staysQuietLongerThanTheReadTimeoutOfOtherClients() throws IOException {
		RawServer.Script script = (request, connection) -> {
			connection.openWatch();
			// the settings of the client have a read timeout of one second
			if (connection.silence(1500)) {
				connection.write(BOOKMARK);
			}
		};
		try (RawServer server = new RawServer(script)) {
			StepVerifier.create(this.connector.widgets(server).watch(Clients.watch()).filter(Clients::isFrame))
				.expectNext(new WatchEvent.Bookmark<>("9", false))
				.expectComplete()
				.verify(LIMIT);
		}
	}

	@Test
	void completesWhenTheServerFallsSilent() throws IOException {
		RawServer.Script script = (request, connection) -> {
			connection.openWatch();
			connection.write(BOOKMARK);
			connection.awaitClose();
		};
		try (RawServer server = new RawServer(script)) {
			var options = Clients.timeouts(LIMIT, Duration.ofMillis(300));
			var widgets = Clients.widgets(this.connector.client(server.uri(), options));
			// on a slow machine, the watch may complete before the frame
			Awaitility.await().until(() -> {
				var events = widgets.watch(Clients.watch()).filter(Clients::isFrame).collectList().block(LIMIT);
				return events.size() == 1;
			});
		}
	}

	@Test
	void failsWhenTheServerNeverAnswers() throws Exception {
		CountDownLatch closed = new CountDownLatch(1);
		try (RawServer server = new RawServer((request, connection) -> {
			connection.awaitClose();
			closed.countDown();
		})) {
			var widgets = Clients.widgets(this.connector.client(server.uri(), Clients.idle(Duration.ofMillis(300))));
			// on a slow machine, the timeout may come before the request is sent
			Awaitility.await().until(() -> {
				StepVerifier.create(widgets.watch(Clients.watch()).filter(Clients::isFrame))
					.expectErrorMatches((ex) -> Exceptions.unwrap(ex) instanceof TimeoutException)
					.verify(LIMIT);
				return !server.requests().isEmpty();
			});
			assertThat(closed.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS)).as("closed by the client").isTrue();
		}
	}

	@Test
	void anObjectMayTakeLongerToComeThanAServerMayBeSilent() throws Exception {
		String frame = Clients.frame("ADDED", Clients.json("w0", 1));
		RawServer.Script script = (request, connection) -> {
			connection.openWatch();
			int piece = frame.length() / 8;
			for (int at = 0; at < frame.length(); at += piece) {
				if (!connection.silence(250)) {
					return;
				}
				connection.write(frame.substring(at, Math.min(at + piece, frame.length())));
			}
		};
		try (RawServer server = new RawServer(script)) {
			var options = Clients.timeouts(LIMIT, Duration.ofMillis(1250));
			var widgets = Clients.widgets(this.connector.client(server.uri(), options));
			// a pause of the machine is silence, too
			Awaitility.await()
				.atMost(LIMIT)
				.untilAsserted(() -> StepVerifier.create(widgets.watch(Clients.watch()).filter(Clients::isFrame))
					.assertNext((event) -> assertThat(event).isInstanceOfSatisfying(WatchEvent.Added.class,
							(added) -> assertThat(((Widget) added.object()).metadata().name()).isEqualTo("w0")))
					.expectComplete()
					.verify(LIMIT));
		}
	}

}
