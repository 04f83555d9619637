package dev.reflector.integration;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.stream.Stream;

import dev.reflector.ReflectorStatus;
import dev.reflector.actuate.endpoint.ReflectorsEndpoint;
import dev.reflector.fixture.LongForm;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.test.CertificateAuthority;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.PemCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests what a user sees without a connection. Log, health and endpoint show a failure
 * that can heal, and it does heal. A permanent failure fails the start.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectionMessagesIntegrationTests {

	private static final String[] FAST = { "reflector.backoff.initial=50ms", "reflector.backoff.max=100ms",
			"reflector.watch.initial-list=list", "reflector.health.failing-threshold=1ms",
			"management.endpoints.jmx.exposure.include=reflectors", "spring.jmx.enabled=true" };

	private final CertificateAuthority authority = CertificateAuthority.create();

	private final CertificateAuthority clients = CertificateAuthority.create();

	@TempDir
	private Path folder;

	private EmbeddedApiServer server;

	@BeforeEach
	void startServer() {
		this.server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.tls(this.authority.forServer())
			.http2(true)
			.start();
		this.server.resources("widgets").create(Map.of("metadata", Map.of("name", "a")));
	}

	@AfterEach
	void closeServer() {
		this.server.close();
	}

	private MirrorApplication start(Path kubeconfig) {
		return start("reflector.api-server.kubeconfig=" + kubeconfig);
	}

	private static MirrorApplication start(String... properties) {
		return MirrorApplication.start(Stream.of(FAST, properties).flatMap(Stream::of).toArray(String[]::new));
	}

	private Path kubeconfig(String cluster, String user) {
		return KubeconfigFile.trusting(this.authority.certificate(), user)
			.with(cluster)
			.write(this.folder, this.server.url());
	}

	/**
	 * Checks that log, state, health and endpoint show the same failure, and that it
	 * heals then.
	 */
	private void tells(MirrorApplication application, CapturedOutput output, String reason, String... message) {
		await().untilAsserted(() -> assertThat(application.reflector.status().lastError())
			.extracting(ReflectorStatus.LastError::reason)
			.isEqualTo(reason));
		// the server's words may differ from attempt to attempt, but not those of this
		// library
		await().untilAsserted(() -> assertThat(output.getOut()).contains(message));
		ReflectorsEndpoint endpoint = application.context.getBean(ReflectorsEndpoint.class);
		HealthIndicator health = (HealthIndicator) application.context
			.getBean("reflectorsHealthContributor", CompositeHealthContributor.class)
			.getContributor("widgets");
		await().untilAsserted(() -> {
			assertThat(application.reflector.status().lastError().message()).contains(message).doesNotContain("...");
			assertThat(endpoint.reflector("widgets").lastError().message()).contains(message);
			Health shown = health.health(true);
			assertThat(shown.getStatus()).isEqualTo(Status.DOWN);
			assertThat(shown.getDetails().get("lastError")).asString().contains(message);
		});
		assertThat(output).doesNotContain("PKIX").doesNotContain("PRIVATE KEY");
	}

	private void heals(MirrorApplication application) {
		application.awaitEqualTo(this.server.resources("widgets"));
		application.awaitWatching(this.server);
	}

	@Test
	void wrongHostName(CapturedOutput output) throws IOException {
		this.server.useCertificate(this.authority.forHosts("api.test", "10.1.2.3"));
		try (MirrorApplication application = start(kubeconfig("", "{}"))) {
			tells(application, output, "WrongHostName", "the certificate of " + this.server.url()
					+ " is not valid for the host '127.0.0.1'; use a name in the URL that it is valid for (api.test, "
					+ "10.1.2.3), set tls-server-name in the kubeconfig");
			this.server.useCertificate(this.authority.forServer());
			heals(application);
		}
	}

	static Stream<Arguments> otherLibraries() {
		return Stream
			.of(arguments("jdk", "http-1-1"), arguments("jetty", "http-1-1"), arguments("reactor", "http-2"),
					arguments("jdk", "http-2"))
			.limit(LongForm.atMost(1));
	}

	/** No library connects to a host whose certificate is another's. */
	@ParameterizedTest
	@MethodSource("otherLibraries")
	void wrongHostNameWithOtherLibraries(String connector, String version, CapturedOutput output) throws IOException {
		this.server.useCertificate(this.authority.forHosts("api.test", "10.1.2.3"));
		try (MirrorApplication application = start("spring.http.clients.reactive.connector=" + connector,
				"reflector.api-server.http-version=" + version,
				"reflector.api-server.kubeconfig=" + kubeconfig("", "{}"))) {
			tells(application, output, "WrongHostName", "is not valid for the host '127.0.0.1'; use a name");
			this.server.useCertificate(this.authority.forServer());
			heals(application);
		}
	}

	@Test
	@LongFormOnly
	void wrongServerNameWithHttp2(CapturedOutput output) throws IOException {
		try (MirrorApplication application = start("reflector.api-server.http-version=http-2",
				"reflector.api-server.kubeconfig=" + kubeconfig(", tls-server-name: other.test", "{}"))) {
			tells(application, output, "WrongHostName", "is not valid for the host 'other.test'");
			this.server.useCertificate(this.authority.forServer("*.test"));
			heals(application);
		}
	}

	@Test
	void wrongServerName(CapturedOutput output) throws IOException {
		try (MirrorApplication application = start(kubeconfig(", tls-server-name: other.test", "{}"))) {
			tells(application, output, "WrongHostName", "is not valid for the host 'other.test'");
			this.server.useCertificate(this.authority.forServer("*.test"));
			heals(application);
		}
	}

	static Stream<String> librariesThatTrust() {
		return LongForm.some(Stream.of("reactor", "jdk"));
	}

	@ParameterizedTest
	@MethodSource("librariesThatTrust")
	void wrongAuthority(String connector, CapturedOutput output) throws IOException {
		CertificateAuthority other = CertificateAuthority.create();
		Path file = Files.writeString(this.folder.resolve("ca.crt"), other.certificate());
		try (MirrorApplication application = start("reflector.api-server.url=" + this.server.url(),
				"spring.http.clients.reactive.connector=" + connector, "reflector.api-server.ssl-bundle=cluster",
				"spring.ssl.bundle.pem.cluster.reload-on-update=true", "spring.ssl.bundle.watch.file.quiet-period=50ms",
				"spring.ssl.bundle.pem.cluster.truststore.certificate=" + file)) {
			tells(application, output, "UntrustedServerCertificate",
					"the certificate of " + this.server.url() + " is not from an authority that is trusted here",
					"(SSL bundle 'cluster')", "It is from CN=embedded-api-server-ca-",
					"trusted: CN=embedded-api-server-ca-", "'reflector.api-server.ssl-bundle'");
			Files.writeString(file, this.authority.certificate());
			heals(application);
		}
	}

	@Test
	void noAuthorityAtAll(CapturedOutput output) {
		try (MirrorApplication application = MirrorApplication.on(this.server, FAST)) {
			tells(application, output, "UntrustedServerCertificate",
					"no SSL bundle is configured, so the authorities of the JVM are trusted", "trusted: ",
					" authorities");
		}
	}

	@Test
	void certificateOfTheServerThatHasExpired(CapturedOutput output) throws IOException {
		Instant end = Instant.now().minus(Duration.ofMinutes(5)).truncatedTo(ChronoUnit.SECONDS);
		this.server.useCertificate(this.authority.validUntil(end).forServer());
		try (MirrorApplication application = start(kubeconfig("", "{}"))) {
			tells(application, output, "ServerCertificateExpired", "the certificate of " + this.server.url()
					+ " has expired at " + end + "; have it renewed on the server, or set the clock");
			this.server.useCertificate(this.authority.forServer());
			heals(application);
		}
	}

	@Test
	void certificateOfTheServerThatIsNoneOfAServer(CapturedOutput output) throws IOException {
		this.server.useCertificate(this.authority.forClient("app"));
		try (MirrorApplication application = start(kubeconfig("", "{}"))) {
			tells(application, output, "UnsuitableServerCertificate", "is not accepted: ",
					"have one that suits a server issued for it");
			this.server.useCertificate(this.authority.forServer());
			heals(application);
		}
	}

	@Test
	void clientCertificateThatExpiresLater(CapturedOutput output) throws IOException {
		this.server.acceptClientCertificates(this.clients.certificate());
		CertificateSources source = CertificateSources.FILES;
		source.write(this.folder, this.server.url(), this.authority.certificate(), this.clients.forClient("app"));
		try (MirrorApplication application = source.start(this.folder, this.server.url(), FAST)) {
			heals(application);
			// a watch that is still being opened would keep the old certificate
			await().until(() -> this.server.activeWatches() == 1);
			Instant end = Instant.now().minusSeconds(30).truncatedTo(ChronoUnit.SECONDS);
			source.write(this.folder, this.server.url(), this.authority.certificate(),
					this.clients.validUntil(end).forClient("app"));
			this.server.closeWatches();
			tells(application, output, "Credentials",
					"the client certificate CN=app has expired at " + end + " (certificate-authority ",
					"client-certificate " + this.folder.resolve("client.crt") + " of user 'u', kubeconfig ",
					"put a new certificate and key in its place, which are then used without a restart");
			source.write(this.folder, this.server.url(), this.authority.certificate(), this.clients.forClient("app"));
			heals(application);
		}
	}

	@Test
	void clientCertificateThatIsMissing(CapturedOutput output) throws IOException {
		this.server.acceptClientCertificates(this.clients.certificate());
		try (MirrorApplication application = start(kubeconfig("", "{}"))) {
			tells(application, output, "TlsFailure", "there is no TLS connection to " + this.server.url() + ": ",
					"if the server requires a client certificate, or another one, correct it "
							+ "(certificate-authority-data of cluster 'c', kubeconfig ");
			Files.writeString(this.folder.resolve("kubeconfig"),
					this.server.kubeconfig(this.clients.forClient("app")).replace("embedded", "test"));
			heals(application);
		}
	}

	@Test
	void proxyThatIsDown(CapturedOutput output) throws IOException {
		try (Socket unused = new Socket()) {
			// bound, so that the port is not reused, but not listening
			unused.bind(new InetSocketAddress("127.0.0.1", 0));
			String address = "127.0.0.1:" + unused.getLocalPort();
			String proxy = "http://me:s3cret@" + address;
			try (MirrorApplication application = start(kubeconfig(", proxy-url: \"" + proxy + "\"", "{}"))) {
				tells(application, output, "ProxyFailure",
						"cannot connect to " + this.server.url() + " through the proxy http://" + address + ": ",
						"check that the proxy runs and lets this server through, or correct 'proxy-url' (kubeconfig "
								+ this.folder.resolve("kubeconfig") + ", context test)");
			}
		}
		assertThat(output).doesNotContain("s3cret");
	}

	@Test
	void serverThatIsDown(CapturedOutput output) throws IOException {
		this.server.stop();
		try (MirrorApplication application = start(kubeconfig("", "{}"))) {
			tells(application, output, "ConnectionRefused", "cannot connect to " + this.server.url() + ": ",
					"check that it runs, and that this is its address (kubeconfig ");
			this.server.start();
			heals(application);
		}
	}

	@Test
	void aPermanentErrorFailsTheStart(CapturedOutput output) throws IOException {
		PemCertificate client = this.clients.validUntil(Instant.now().minusSeconds(60)).forClient("app");
		fails(output, kubeconfig("", KubeconfigFile.user(client, "")), "has a client-certificate that has expired at",
				"get a new certificate and key for it");
		fails(output, kubeconfig("", "{}"), "has no context 'gone'; its contexts are: [test]");
	}

	@Test
	@LongFormOnly
	void anotherPermanentErrorFailsTheStart(CapturedOutput output) throws IOException {
		fails(output, kubeconfig("", "{client-certificate: gone.crt, client-key: gone.key}"),
				this.folder.resolve("gone.crt") + " does not exist; make it a readable file or correct the path");
		fails(output, Files.writeString(this.folder.resolve("malformed"), "a: [b\n"),
				this.folder.resolve("malformed") + " is not valid YAML at line 2, column 1; correct it there");
		fails(output,
				kubeconfig("",
						"{exec: {command: ./gone, apiVersion: client.authentication.k8s.io/v1, "
								+ "installHint: get it from the shop}}"),
				"which does not exist or is not executable; get it");
	}

	private void fails(CapturedOutput output, Path kubeconfig, String... message) {
		assertThatException().isThrownBy(() -> MirrorApplication
			.start("reflector.api-server.kubeconfig=" + kubeconfig,
					(message[0].contains("'gone'") ? "reflector.api-server.context=gone" : "reflector.enabled=true"))
			.close());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The kubeconfig " + kubeconfig + ", named by 'reflector.api-server.kubeconfig', cannot be used")
			.contains(message)
			.doesNotContain("PRIVATE KEY");
	}

}
