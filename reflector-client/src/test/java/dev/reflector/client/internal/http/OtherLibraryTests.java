package dev.reflector.client.internal.http;

import java.io.Closeable;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.RawServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpResponse;
import org.springframework.http.client.reactive.JdkClientHttpConnector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of {@link OtherLibrary}.
 */
@Timeout(60)
class OtherLibraryTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private final AtomicInteger made = new AtomicInteger();

	private final AtomicInteger closed = new AtomicInteger();

	@Test
	void aCloseableConnectorIsClosedWhenItIsNoLongerUsed() throws Exception {
		ClientHttpConnectorBuilder<CloseableConnector> builder = (settings) -> {
			this.made.incrementAndGet();
			return new CloseableConnector(this.closed);
		};
		try (RawServer server = RawServer.answering("{\"items\":[]}")) {
			ApiServerClient client = Clients.builder(server.uri()).connectorBuilder(builder).build();
			ListerWatcher<?> widgets = Clients.widgets(client);
			assertThat(widgets.list(Clients.list()).block(LIMIT)).isNotNull();
			assertThat(this.closed).hasValue(0);
			client.disconnect();
			await().until(() -> this.closed.get() == 1);
			assertThat(widgets.list(Clients.list()).block(LIMIT)).isNotNull();
			assertThat(this.made).hasValue(2);
			assertThat(this.closed).hasValue(1);
		}
	}

	private record CloseableConnector(ClientHttpConnector delegate,
			AtomicInteger closed) implements ClientHttpConnector, Closeable {

		CloseableConnector(AtomicInteger closed) {
			this(new JdkClientHttpConnector(), closed);
		}

		@Override
		public Mono<ClientHttpResponse> connect(HttpMethod method, URI uri,
				Function<? super ClientHttpRequest, Mono<Void>> requestCallback) {
			return this.delegate.connect(method, uri, requestCallback);
		}

		@Override
		public void close() {
			this.closed.incrementAndGet();
		}

	}

}
