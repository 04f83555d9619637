package dev.reflector.client;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.RawServer;
import io.netty.channel.EventLoopGroup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.netty.resources.LoopResources;

import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the warm-up of a client before its first request.
 */
@Timeout(60)
class WarmUpTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private final Loops loops = new Loops();

	@BeforeEach
	void takesAProcessorOfItsOwn() {
		assumeThat(Runtime.getRuntime().availableProcessors()).as("processors").isGreaterThan(1);
	}

	@AfterEach
	void end() {
		this.loops.open.countDown();
		this.loops.delegate.disposeLater(Duration.ZERO, LIMIT).block(LIMIT);
	}

	@Test
	void threadsOfTheNetworkAreMadeBeforeThereIsARequest() throws Exception {
		this.loops.open.countDown();
		try (RawServer server = RawServer.answering("{\"items\":[]}")) {
			client(server.port());
			await().until(() -> this.loops.made.get() > 0);
			assertThat(server.requests()).isEmpty();
		}
	}

	@Test
	void aFailedWarmUpIsRepeatedByTheFirstRequest() throws Exception {
		this.loops.open.countDown();
		this.loops.failing = true;
		try (RawServer server = RawServer.answering("{\"items\":[]}")) {
			ApiServerClient client = client(server.port());
			await().until(() -> this.loops.failed.get() > 0);
			this.loops.failing = false;
			assertThat(Clients.widgets(client).list(Clients.list()).block(LIMIT)).isNotNull();
		}
	}

	@Test
	void thereIsNoWarmUpAfterDisconnecting() throws Exception {
		try (RawServer server = RawServer.answering("{\"items\":[]}")) {
			ApiServerClient client = client(server.port());
			await().until(() -> this.loops.asked.get() > 0);
			Thread disconnecting = new Thread(client::disconnect, "disconnecting");
			disconnecting.start();
			await().until(() -> disconnecting.getState() == Thread.State.TIMED_WAITING);
			assertThat(this.loops.made).hasValue(0);
			this.loops.open.countDown();
			disconnecting.join(LIMIT.toMillis());
			assertThat(disconnecting.isAlive()).isFalse();
			assertThat(this.loops.made).hasPositiveValue();
		}
	}

	private ApiServerClient client(int port) {
		return Clients.builder(URI.create("http://127.0.0.1:" + port))
			.connectorBuilder(
					ClientHttpConnectorBuilder.reactor().withHttpClientCustomizer((client) -> client.runOn(this.loops)))
			.build();
	}

	/** Waits before it makes threads, and counts the calls. */
	private static final class Loops implements LoopResources {

		private final LoopResources delegate = LoopResources.create("warm-up-test", 1, true);

		private final CountDownLatch open = new CountDownLatch(1);

		private final AtomicInteger asked = new AtomicInteger();

		private final AtomicInteger failed = new AtomicInteger();

		private final AtomicInteger made = new AtomicInteger();

		private volatile boolean failing;

		@Override
		public EventLoopGroup onServer(boolean useNative) {
			throw new UnsupportedOperationException();
		}

		@Override
		public EventLoopGroup onClient(boolean useNative) {
			this.asked.incrementAndGet();
			try {
				this.open.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			if (this.failing) {
				this.failed.incrementAndGet();
				throw new IllegalStateException("no threads for now");
			}
			EventLoopGroup group = this.delegate.onClient(useNative);
			this.made.incrementAndGet();
			return group;
		}

	}

}
