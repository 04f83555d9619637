package dev.reflector.integration;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

import dev.reflector.fixture.LongForm;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.LoadBalancer;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests requests that share a connection: a server that closes it (GOAWAY) or refuses
 * streams causes no error, and a dead connection is not used again.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class Http2IntegrationTests {

	@TempDir
	private Path folder;

	private EmbeddedApiServer server;

	private ResourceCollection widgets;

	@BeforeEach
	void startServer() {
		this.server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.tls()
			.http2(true)
			.bookmarkInterval(Duration.ofMillis(200))
			.start();
		this.widgets = this.server.resources("widgets");
		write("first", 0);
	}

	@AfterEach
	void closeServer() {
		this.server.close();
	}

	private void write(String name, int size) {
		Map<String, Object> widget = Map.of("metadata", Map.of("name", name), "spec", Map.of("size", size));
		if (size == 0) {
			this.widgets.create(widget);
		}
		else {
			this.widgets.mergePatch("default", name, widget);
		}
	}

	private MirrorApplication application(String kubeconfig, String... properties) throws IOException {
		Path file = Files.writeString(this.folder.resolve("kubeconfig"), kubeconfig);
		String[] all = List
			.of("reflector.api-server.kubeconfig=" + file, "reflector.api-server.http-version=http-2",
					"reflector.watch.initial-list=list", "reflector.backoff.initial=20ms",
					"logging.level.reactor.netty=error")
			.toArray(new String[5 + properties.length]);
		System.arraycopy(properties, 0, all, 5, properties.length);
		return MirrorApplication.start(all);
	}

	/** The mirror has needed one list, and no warning or error was logged. */
	private void assertUndisturbed(MirrorApplication application, CapturedOutput output) {
		application.awaitEqualTo(this.widgets);
		assertThat(this.server.requests(WidgetScenario::isListOfObjects)).hasSize(1);
		assertThat(application.heard.mistakes).isEmpty();
		assertThat(application.reflector.status().counts().errors()).isZero();
		assertThat(output.getAll().lines()).noneMatch((line) -> line.contains(" WARN ") || line.contains(" ERROR "));
	}

	private void awaitWatches(int least) {
		await().until(() -> this.server.requests(RecordedRequest::isWatch).size() >= least
				&& this.server.activeWatches() == 1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "reactor", "jdk" })
	void watchesGoOnOnAnotherConnectionAfterGoAway(String connector, CapturedOutput output) throws IOException {
		try (MirrorApplication application = application(this.server.kubeconfig(),
				"spring.http.clients.reactive.connector=" + connector)) {
			application.awaitEqualTo(this.widgets);
			awaitWatches(1);
			for (int round = 1; round <= LongForm.times(5, 2); round++) {
				write("before" + round, 0);
				application.awaitEqualTo(this.widgets);
				int watches = this.server.requests(RecordedRequest::isWatch).size();
				this.server.goAway();
				write("between" + round, 0);
				this.server.closeWatches();
				awaitWatches(watches + 1);
				write("after" + round, 0);
				application.awaitEqualTo(this.widgets);
			}
			assertUndisturbed(application, output);
		}
	}

	/** The reset causes no error in the server of the test kit. */
	@Test
	void aClientThatResetsItsConnectionIsNoTrouble(CapturedOutput output) throws IOException {
		try (MirrorApplication application = application(this.server.kubeconfig())) {
			application.awaitEqualTo(this.widgets);
			awaitWatches(1);
			int connections = this.server.activeConnections();
			try (Socket connection = new Socket("127.0.0.1", this.server.port())) {
				SSLSocket secured = http2(connection);
				secured.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
				secured.getOutputStream().write(new byte[] { 0, 0, 0, 4, 0, 0, 0, 0, 0 });
				assertThat(secured.getInputStream().readNBytes(4)).as("settings").startsWith(0, 0).endsWith(4);
				connection.setSoLinger(true, 0);
			}
			await().until(() -> this.server.activeConnections() == connections);
			write("second", 0);
			assertUndisturbed(application, output);
		}
	}

	private SSLSocket http2(Socket connection) throws IOException {
		SslBundle trust = SslBundle
			.of(new PemSslStoreBundle(null, PemSslStoreDetails.forCertificate(this.server.caCertificate())));
		SSLSocket secured = (SSLSocket) trust.createSslContext()
			.getSocketFactory()
			.createSocket(connection, "127.0.0.1", this.server.port(), false);
		SSLParameters parameters = secured.getSSLParameters();
		parameters.setApplicationProtocols(new String[] { "h2" });
		secured.setSSLParameters(parameters);
		return secured;
	}

	@Test
	void noChangeIsLostWhenTheServerKeepsSendingGoAway(CapturedOutput output) throws IOException {
		try (MirrorApplication application = application(this.server.kubeconfig())) {
			application.awaitEqualTo(this.widgets);
			awaitWatches(1);
			for (int i = 0; i < LongForm.times(2000, 500); i++) {
				String name = "w" + i % 50;
				write(name, i / 50);
				if (i % 97 == 0) {
					this.server.goAway();
				}
				if (i % 401 == 400) {
					this.server.goAway();
					this.server.closeWatches();
					awaitWatches(2);
				}
			}
			assertUndisturbed(application, output);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "reactor", "jdk" })
	void refusedStreamsAreSentAgain(String connector, CapturedOutput output) throws IOException {
		this.server.fail(RecordedRequest::isWatch, 2, Fault.refuseStream());
		try (MirrorApplication application = application(this.server.kubeconfig(),
				"spring.http.clients.reactive.connector=" + connector)) {
			awaitWatches(3);
			write("another", 0);
			assertUndisturbed(application, output);
		}
	}

	@Test
	void aConnectionThatIsDeadIsNotUsedAgain() throws IOException {
		try (LoadBalancer network = LoadBalancer.over(this.server);
				MirrorApplication application = application(
						this.server.kubeconfig().replace(this.server.url().toString(), network.url().toString()),
						"reflector.api-server.idle-timeout=6s", "reflector.api-server.response-timeout=60s")) {
			application.awaitEqualTo(this.widgets);
			awaitWatches(1);
			network.freeze();
			write("unheard", 0);
			application.awaitEqualTo(this.widgets);
			assertThat(this.server.requests(WidgetScenario::isListOfObjects)).hasSize(1);
			assertThat(application.reflector.status().counts().errors()).isZero();
			assertThat(application.heard.mistakes).isEmpty();
		}
	}

}
