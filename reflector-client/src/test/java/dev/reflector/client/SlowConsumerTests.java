package dev.reflector.client;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.cache.source.WatchEvent;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.Clients.Widget;
import dev.reflector.client.fixture.Connector;
import dev.reflector.client.fixture.RawServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests watches of {@link WebClientListerWatcher} whose consumer is slower than the
 * server, over a real socket.
 */
class SlowConsumerTests {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	@ParameterizedTest
	@MethodSource("dev.reflector.client.fixture.Connector#some")
	@Execution(ExecutionMode.CONCURRENT)
	void slowsDownTheServerWhenTheConsumerIsSlow(Connector connector) throws IOException {
		int total = 6000;
		String padding = "y".repeat(8000);
		AtomicInteger written = new AtomicInteger();
		RawServer.Script script = (request, connection) -> {
			connection.openWatch();
			for (int i = 0; i < total; i++) {
				connection
					.write(Clients.frame("ADDED", Clients.json("w" + i, 1).replace("[1,", "[\"" + padding + "\",")));
				written.incrementAndGet();
			}
		};
		try (RawServer server = new RawServer(script)) {
			AtomicInteger next = new AtomicInteger();
			// long enough for a slow machine to write on
			Duration idle = Duration.ofSeconds(6);
			var widgets = Clients.widgets(connector.client(server.uri(), Clients.timeouts(LIMIT, idle)));
			// the subscriber is slow for longer than the idle timeout, which is no
			// silence
			StepVerifier.create(widgets.watch(Clients.watch()).filter(Clients::isFrame), 1)
				.consumeNextWith((event) -> assertInOrder(event, next))
				.then(() -> Awaitility.await().during(idle.plusSeconds(1)).atMost(LIMIT).until(stable(written)))
				.then(() -> assertThat(written).hasValueLessThan(total))
				.thenRequest(Long.MAX_VALUE)
				.thenConsumeWhile((event) -> true, (event) -> assertInOrder(event, next))
				.expectComplete()
				.verify(LIMIT);
			assertThat(next).hasValue(total);
		}
	}

	@ParameterizedTest
	@MethodSource("dev.reflector.client.fixture.Connector#some")
	@Execution(ExecutionMode.CONCURRENT)
	void readsReceivedFramesAfterTheEndEvenIfTheConsumerIsSlow(Connector connector) throws Exception {
		CountDownLatch ended = new CountDownLatch(1);
		RawServer.Script script = (request, connection) -> {
			connection.openWatch();
			for (int i = 0; i < 4; i++) {
				connection.write(Clients.frame("ADDED", Clients.json("w" + i, 1)));
			}
			ended.countDown();
		};
		try (RawServer server = new RawServer(script)) {
			AtomicInteger next = new AtomicInteger();
			Duration idle = Duration.ofSeconds(2);
			var widgets = Clients.widgets(connector.client(server.uri(), Clients.timeouts(LIMIT, idle)));
			StepVerifier.create(widgets.watch(Clients.watch()).filter(Clients::isFrame), 1)
				.consumeNextWith((event) -> assertInOrder(event, next))
				.then(() -> Awaitility.await().until(() -> ended.getCount() == 0))
				.thenAwait(idle.plusSeconds(1))
				.thenRequest(Long.MAX_VALUE)
				.thenConsumeWhile((event) -> true, (event) -> assertInOrder(event, next))
				.expectComplete()
				.verify(LIMIT);
			assertThat(next).hasValue(4);
		}
	}

	private static Callable<Boolean> stable(AtomicInteger value) {
		AtomicInteger last = new AtomicInteger(-1);
		return () -> last.getAndSet(value.get()) == value.get();
	}

	private static void assertInOrder(WatchEvent<Widget> event, AtomicInteger next) {
		assertThat(((WatchEvent.Added<Widget>) event).object().metadata().name())
			.isEqualTo("w" + next.getAndIncrement());
	}

}
