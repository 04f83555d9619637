package dev.reflector.client;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.reflector.ResourceType;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.Impersonation;
import dev.reflector.client.credentials.Kubeconfig;
import dev.reflector.client.credentials.Route;
import dev.reflector.client.credentials.SslSource;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.client.fixture.Certificates;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.RawServer;
import dev.reflector.fixture.BusySharedThreads;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.ssl.SslBundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * Tests that tokens and certificates, which may be files, are not read on network
 * threads.
 */
class CredentialThreadsTests {

	private final List<String> mistakes = new CopyOnWriteArrayList<>();

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private void called(String what) {
		this.calls.add(what);
		String thread = Thread.currentThread().getName();
		if (Schedulers.isInNonBlockingThread() || !thread.startsWith("reflector-credentials-")) {
			this.mistakes.add(what + " on " + thread);
		}
	}

	@Test
	void requestsGoOutWhileTheApplicationBlocksTheSharedThreads() throws Exception {
		List<Thread> readers = new CopyOnWriteArrayList<>();
		try (RawServer server = RawServer.answering("{\"items\":[]}");
				BusySharedThreads busy = new BusySharedThreads()) {
			ApiServerClient client = Clients
				.client(new ApiServer(URI.create(server.uri().toString()), SslSource.of(null), () -> {
					readers.add(Thread.currentThread());
					return "abc";
				}, Impersonation.NONE, Route.DIRECT, "a test"), Clients.OPTIONS);
			assertThat(Clients.widgets(client).list(Clients.list()).block(Duration.ofSeconds(30)).items()).isEmpty();
			assertThat(busy.isBusy()).isTrue();
			client.disconnect();
			assertThat(readers).hasSize(1);
			await().until(() -> !readers.get(0).isAlive());
			// the client can be used again
			assertThat(Clients.widgets(client).list(Clients.list()).block(Duration.ofSeconds(30)).items()).isEmpty();
			assertThat(readers).doesNotHaveDuplicates().hasSize(2);
			client.disconnect();
		}
	}

	@Test
	void credentialsAreNotReadByThreadsOfTheNetwork() throws Exception {
		try (RawServer server = new RawServer((request, connection) -> {
			boolean discovery = request.target().endsWith("/v1");
			connection.openWatch();
			connection
				.write(discovery ? "{\"resources\":[{\"name\":\"widgets\",\"kind\":\"Widget\"}]}" : "{\"items\":[]}");
		})) {
			TokenSource token = new TokenSource() {

				@Override
				public @Nullable String token() {
					called("token");
					return "abc";
				}

				@Override
				public Mono<String> obtain() {
					// a source may complete on any thread
					return Mono.fromSupplier(this::token).hide().publishOn(Schedulers.parallel());
				}
			};
			boolean[] prepared = { false };
			SslSource ssl = new SslSource() {

				@Override
				public @Nullable SslBundle bundle() {
					if (prepared[0]) {
						called("bundle");
					}
					return null;
				}
			};
			ApiServer described = new ApiServer(URI.create(server.uri().toString()), ssl, token, Impersonation.NONE,
					Route.DIRECT, "a test");
			ApiServerClient client = Clients.client(described, Clients.OPTIONS);
			prepared[0] = true;
			assertThat(client
				.listerWatcher(Clients.Widget.class, MetadataAccessor.forType(Clients.Widget.class),
						ResourceType.of("example.com/v1", "Widget", null), "", "")
				.list(Clients.list())
				.block()
				.items()).isEmpty();
			// discovery in both of its forms, and the list
			assertThat(server.requests()).hasSize(3);
			assertThat(this.calls).containsExactly("token", "bundle", "token", "bundle", "token", "bundle");
			assertThat(this.mistakes).isEmpty();
			client.disconnect();
		}
	}

	/** The messages of a 401 and of a failed handshake name what was read before. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void messagesOfFailuresReadNoFiles(boolean trusted, @TempDir Path folder) throws Exception {
		Certificates own = Certificates.generate("server", "EC");
		Path kubeconfig = folder.resolve("config");
		Logger logger = (Logger) LoggerFactory.getLogger("dev.reflector.client.credentials.Reloading");
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		try (RawServer server = new RawServer(
				(request, connection) -> connection.head(401, "Connection: close", "Content-Length: 0"),
				own.serverSockets(own))) {
			Files.writeString(kubeconfig, """
					current-context: c
					contexts: [{name: c, context: {cluster: c, user: u}}]
					clusters: [{name: c, cluster: {server: 'https://127.0.0.1:%d', certificate-authority-data: %s}}]
					users: [{name: u, user: {token: t, client-certificate-data: %s, client-key-data: %s}}]
					""".formatted(server.port(),
					base64((trusted ? own : Certificates.generate("other", "EC")).certificate()),
					base64(own.certificate()), base64(own.key())));
			ApiServerClient client = Clients.client(Kubeconfig.load(kubeconfig, null), Clients.OPTIONS);
			// each read of this is logged
			Files.writeString(kubeconfig, "broken: [");
			logger.setLevel(Level.DEBUG);
			log.start();
			logger.addAppender(log);
			assertThatException()
				.isThrownBy(() -> Clients.widgets(client).list(Clients.list()).block(Duration.ofSeconds(30)))
				.withMessageContaining("certificate-authority-data of cluster 'c'");
			// copied, because the warm-up may still add to it
			assertThat(List.copyOf(log.list)).isNotEmpty()
				.extracting(ILoggingEvent::getThreadName)
				.allMatch(
						(thread) -> thread.startsWith("reflector-credentials-") || thread.equals("reflector-warm-up"));
			client.disconnect();
		}
		finally {
			logger.detachAppender(log);
			logger.setLevel(null);
		}
	}

	private static String base64(String text) {
		return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

}
