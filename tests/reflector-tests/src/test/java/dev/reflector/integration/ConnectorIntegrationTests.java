package dev.reflector.integration;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.reflector.ReflectorState;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.credentials.Kubeconfig;
import dev.reflector.client.credentials.KubeconfigException;
import dev.reflector.fixture.LongForm;
import dev.reflector.test.CertificateAuthority;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.PemCertificate;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import dev.reflector.write.AppliedMeta;
import dev.reflector.write.AppliedWidget;
import dev.reflector.write.ResourceWriter;
import dev.reflector.write.WriteUnreachableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests that all HTTP libraries that an application may choose behave the same, over TLS
 * with a private certificate authority and a client certificate.
 * {@code -Dtests.relists=N} makes each library list a large answer N times.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectorIntegrationTests {

	/** Long enough for 80 connections at a time. */
	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final String CONNECTOR = "spring.http.clients.reactive.connector=";

	private final CertificateAuthority clients = CertificateAuthority.create();

	@TempDir
	private Path folder;

	private EmbeddedApiServer server;

	private ResourceCollection widgets;

	private Path token;

	@BeforeEach
	void startServer() throws IOException {
		this.server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.tls()
			.http2(true)
			.requireClientCertificates(this.clients.certificate())
			.requireToken("alpha")
			.start();
		this.widgets = this.server.resources("widgets");
		this.token = Files.writeString(this.folder.resolve("token"), "alpha");
		for (int i = 0; i < 30; i++) {
			create("w" + i);
		}
	}

	@AfterEach
	void closeServer() {
		this.server.close();
	}

	private void create(String name) {
		this.widgets.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", 1)));
	}

	private MirrorApplication application(String connector, String version, String... properties) {
		return application(this.server.url(), connector, version, properties);
	}

	private MirrorApplication plainApplication(String connector, String... properties) {
		return MirrorApplication.on(this.server,
				Stream.concat(Stream.of(CONNECTOR + connector), Stream.of(properties)).toArray(String[]::new));
	}

	private MirrorApplication application(URI url, String connector, String version, String... properties) {
		Path kubeconfig = KubeconfigFile
			.trusting(this.server.caCertificate(),
					KubeconfigFile.user(this.clients.forClient("app"), "tokenFile: token, "))
			.write(this.folder, url);
		String[] all = new String[properties.length + 4];
		all[0] = CONNECTOR + connector;
		all[1] = "reflector.api-server.http-version=" + version;
		all[2] = "reflector.api-server.kubeconfig=" + kubeconfig;
		// between two watches
		all[3] = "reflector.backoff.initial=20ms";
		System.arraycopy(properties, 0, all, 4, properties.length);
		return MirrorApplication.start(all);
	}

	private static Stream<Arguments> connectors() {
		return Stream.of(arguments("reactor", "http-1-1"), arguments("reactor", "http-2"), arguments("jdk", "http-1-1"),
				arguments("jdk", "http-2"), arguments("jetty", "http-1-1"));
	}

	/**
	 * By default, another library than the one that {@code BigListTests} of the client
	 * uses.
	 */
	static Stream<Arguments> someConnectors() {
		return Stream.of("jdk http-2", "jdk http-1-1", "jetty http-1-1", "reactor http-1-1", "reactor http-2")
			.map((connector) -> arguments((Object[]) connector.split(" ")))
			.limit(LongForm.atMost(1));
	}

	static Stream<Arguments> usualConnector() {
		return withoutTheJdkAndHttp2().limit(LongForm.atMost(1));
	}

	/** The JDK's client with HTTP/2 is like the one with HTTP/1.1 here. */
	private static Stream<Arguments> withoutTheJdkAndHttp2() {
		return connectors().filter((connector) -> !List.of(connector.get()).equals(List.of("jdk", "http-2")));
	}

	static Stream<String> libraries() {
		return Stream.of("reactor", "jdk", "jetty").limit(LongForm.atMost(1));
	}

	/** {@link ConnectionMessagesIntegrationTests} show it of the others as well. */
	static Stream<String> librariesThatTrust() {
		return Stream.of("jetty", "reactor", "jdk").limit(LongForm.atMost(1));
	}

	/**
	 * A streamed list with each of them, and one row with a list:
	 * {@link #readsAnswersInManyParts} has lists with each of them.
	 */
	static Stream<Arguments> connectorsAndLists() {
		return LongForm
			.some(Stream.of(arguments("reactor", "http-2", "stream"), arguments("reactor", "http-1-1", "stream"),
					arguments("reactor", "http-1-1", "list"), arguments("jetty", "http-1-1", "stream"),
					arguments("jdk", "http-1-1", "stream"), arguments("jdk", "http-2", "stream")));
	}

	@ParameterizedTest
	@MethodSource("connectorsAndLists")
	void mirrorsAndFollowsAndLetsGo(String connector, String version, String initialList) throws IOException {
		try (MirrorApplication application = application(connector, version,
				"reflector.watch.initial-list=" + initialList)) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			create("event");
			this.widgets.delete("default", "w3");
			application.awaitEqualTo(this.widgets);

			// a token that is rotated, and the next watch
			Files.writeString(this.token, "beta");
			this.server.acceptTokens("beta");
			this.server.closeWatches();
			create("another");
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);

			application.reflector.pause();
			await().until(() -> application.reflector.state() == ReflectorState.PAUSED);
			await().until(() -> this.server.activeWatches() == 0);
			create("meanwhile");
			application.reflector.resume();
			application.awaitEqualTo(this.widgets);
			// after a pause, the server is also asked whether it has reached the version
			assertThat(this.server
				.requests((request) -> request.isList() && request.parameter("resourceVersionMatch") == null))
				.hasSize(initialList.equals("list") ? 1 : 0);
			assertThat(application.reflector.status().counts().errors()).isZero();
			assertThat(application.heard.mistakes).isEmpty();
		}
		await().until(() -> this.server.activeWatches() == 0);
	}

	/**
	 * A network thread hands over the parts of a large answer while the decoding thread
	 * requests more.
	 */
	@ParameterizedTest
	@MethodSource("someConnectors")
	void readsAnswersInManyParts(String connector, String version) throws IOException {
		String large = "x".repeat(1_000_000);
		this.widgets.create(Map.of("metadata", Map.of("name", "large"), "spec", Map.of("size", 1), "status",
				Map.of("text", large)));
		try (MirrorApplication application = application(connector, version, "reflector.watch.initial-list=list")) {
			application.awaitEqualTo(this.widgets);
			application.awaitWatching(this.server);
			int times = Integer.getInteger("tests.relists", 3);
			for (int i = 1; i <= times; i++) {
				int lists = i + 1;
				application.reflector.relist();
				await().until(() -> this.server.requests(RecordedRequest::isList).size() == lists);
				application.awaitWatching(this.server);
				this.widgets.mergePatch("default", "large", Map.of("spec", Map.of("size", lists)));
				application.awaitEqualTo(this.widgets);
			}
			assertThat(this.server.requests(RecordedRequest::isList)).hasSize(times + 1);
			assertThat(application.reflector.status().counts().errors()).isZero();
		}
	}

	/**
	 * Half-open connections, as behind a firewall that forgets connections: the watch's,
	 * and the one that is kept after a list.
	 */
	@ParameterizedTest
	@MethodSource("usualConnector")
	void goesOnAtTheSameVersionWhenAllConnectionsAreHalfOpen(String connector, String version) throws IOException {
		try (Relay relay = new Relay(this.server);
				MirrorApplication application = application(relay.url(), connector, version,
						"reflector.watch.initial-list=list", "reflector.api-server.idle-timeout=4s",
						"reflector.api-server.response-timeout=4s")) {
			application.awaitEqualTo(this.widgets);
			application.awaitWatching(this.server);
			relay.silence();
			create("unheard");
			application.awaitEqualTo(this.widgets);
			assertThat(application.reflector.status().counts()).satisfies((counts) -> {
				assertThat(counts.lists()).isOne();
				assertThat(counts.relists()).isZero();
			});
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aWriteWhoseAnswerIsDamagedMayHaveHappened(boolean reused) throws IOException {
		try (Relay relay = new Relay(this.server)) {
			String user = KubeconfigFile.user(this.clients.forClient("app"), "tokenFile: " + this.token + ", ");
			String kubeconfig = KubeconfigFile.trusting(this.server.caCertificate(), user).text(relay.url());
			ApiServerClient client = ApiServerClient.builder(Kubeconfig.parse(kubeconfig, "test", null)).build();
			ResourceWriter writer = client.writer().application("shop").build();
			if (reused) {
				writer.create(new AppliedWidget(AppliedMeta.named("default", "first")));
			}
			this.server.clearRequests();
			this.server.fail((request) -> {
				if (request.isWrite()) {
					// the handshake of this connection is over
					relay.damage();
					// with a new token, the write must not be sent again either
					CertificateSources.replace(this.token, "beta");
				}
				return false;
			}, 1, Fault.silence());
			assertThatExceptionOfType(WriteUnreachableException.class)
				.isThrownBy(() -> writer.create(new AppliedWidget(AppliedMeta.named("default", "new"))))
				.satisfies((ex) -> assertThat(ex.mayHaveHappened()).isTrue());
			assertThat(this.server.requests(RecordedRequest::isWrite)).hasSize(1);
			client.disconnect();
		}
	}

	@ParameterizedTest
	@MethodSource("librariesThatTrust")
	void trustsNoOtherAuthority(String connector) throws IOException {
		PemCertificate other = CertificateAuthority.create().forServer();
		try (MirrorApplication application = application(connector, "http-1-1")) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> this.server.activeWatches() == 1);
			this.server.useCertificate(other);
			this.server.stop();
			this.server.start();
			await().until(() -> application.reflector.status().lastError() != null
					&& "UntrustedServerCertificate".equals(application.reflector.status().lastError().reason()));
		}
	}

	@Test
	void namesTheApplicationAndTheLibrary() throws IOException {
		try (MirrorApplication application = application("reactor", "http-1-1", "spring.application.name=my shop",
				"spring.application.version=1.2-beta")) {
			application.awaitEqualTo(this.widgets);
			assertThat(this.server.requests()).isNotEmpty()
				.allSatisfy((request) -> assertThat(request.header("user-agent"))
					.matches("myshop/1\\.2-beta reflector-spring-boot(/[0-9A-Za-z.-]+)?"));
		}
	}

	@Test
	void saysWhichLibraryCannotSpeakHttp2() {
		assertThatException().isThrownBy(() -> application("jetty", "http-2"))
			.havingRootCause()
			.isInstanceOf(KubeconfigException.class)
			.withMessageContaining("Jetty")
			.withMessageContaining("spring.http.clients.reactive.connector=reactor")
			.withMessageContaining("reflector.api-server.http-version");
	}

	@ParameterizedTest
	@MethodSource("libraries")
	void startsAgainAfterTheContextWasStopped(String connector) throws IOException {
		try (MirrorApplication application = application(connector, "http-1-1")) {
			application.awaitEqualTo(this.widgets);
			for (int i = 0; i < 2; i++) {
				application.context.stop();
				assertThat(application.reflector.state()).isEqualTo(ReflectorState.STOPPED);
				await().until(() -> this.server.activeWatches() == 0);
				create("stopped" + i);
				application.context.start();
				application.awaitEqualTo(this.widgets);
				await().until(() -> this.server.activeWatches() == 1);
				create("started" + i);
				application.awaitEqualTo(this.widgets);
			}
			assertThat(application.heard.mistakes).isEmpty();
			assertThat(application.reflector.status().counts().errors()).isZero();
		}
	}

	/**
	 * Uses no TLS if each watch has a separate connection: the possible number of
	 * connections does not depend on TLS.
	 */
	@ParameterizedTest
	@MethodSource("usualConnector")
	void requestsAreAnsweredBesideManyWatches(String connector, String version) throws IOException {
		List<String> namespaces = IntStream.range(0, 80).mapToObj((i) -> "ns" + i).toList();
		String[] properties = { "reflector.watch.initial-list=list", "reflector.api-server.max-list-connections=2",
				"reflector.resources.widgets.namespaces=" + String.join(",", namespaces) };
		if (!version.equals("http-2")) {
			this.server.close();
			this.server = EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).start();
			this.widgets = this.server.resources("widgets");
		}
		try (MirrorApplication application = version.equals("http-2") ? application(connector, version, properties)
				: plainApplication(connector, properties)) {
			await().atMost(PATIENCE).until(() -> this.server.activeWatches() == namespaces.size());
			namespaces.forEach((namespace) -> this.widgets
				.create(Map.of("metadata", Map.of("name", "a", "namespace", namespace), "spec", Map.of("size", 1))));
			await().atMost(PATIENCE).until(() -> application.mirror().size() == namespaces.size());
			application.reflector.relist();
			await().atMost(PATIENCE)
				.until(() -> this.server.requests(RecordedRequest::isList).size() == 2 * namespaces.size()
						&& this.server.activeWatches() == namespaces.size());
			if (version.equals("http-2")) {
				assertThat(this.server.activeConnections()).isLessThan(20);
			}
			assertThat(application.reflector.status().counts().errors()).isZero();
		}
	}

}
