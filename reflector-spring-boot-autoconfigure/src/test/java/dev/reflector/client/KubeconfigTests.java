package dev.reflector.client;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.StepVerifier;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Kubeconfig}.
 */
@ExtendWith(OutputCaptureExtension.class)
class KubeconfigTests {

	private static final String TEMPLATE = """
			apiVersion: v1
			kind: Config
			current-context: dev
			contexts:
			- name: other
			  context: {cluster: gone, user: me}
			- name: dev
			  context:
			    cluster: local
			    user: me
			    namespace: ignored
			clusters:
			- name: local
			  cluster:
			    %s
			users:
			- name: me
			  user:
			    %s
			""";

	@TempDir
	private static Path shared;

	private static Certificates serverCertificate;

	private static Certificates rsa;

	private static Certificates ec;

	@TempDir
	private Path folder;

	@BeforeAll
	static void generateCertificates() throws Exception {
		serverCertificate = Certificates.generate(shared, "server", "RSA");
		rsa = Certificates.generate(shared, "rsa", "RSA");
		ec = Certificates.generate(shared, "ec", "EC");
	}

	@Test
	void readsTextThatIsNoFile() throws Exception {
		String authority = base64(serverCertificate.certificate());
		ApiServer server = Kubeconfig.parse(TEMPLATE.formatted(
				"{server: \"https://127.0.0.1:6443\", certificate-authority-data: " + authority + "}",
				"{client-certificate-data: " + base64(rsa.certificate()) + ", client-key-data: " + base64(rsa.key())
						+ "}"),
				"the container", null);
		assertThat(server.url()).isEqualTo(URI.create("https://127.0.0.1:6443"));
		assertThat(server.origin()).isEqualTo("kubeconfig of the container, context dev");
		assertThat(server.sslBundle().getStores().getKeyStore()).isNotNull();
		assertThat(server.sslBundle().getStores().getTrustStore()).isNotNull();
		assertThatExceptionOfType(KubeconfigException.class)
			.isThrownBy(() -> Kubeconfig.parse("[", "the container", null))
			.withMessageStartingWith("kubeconfig of the container is no valid YAML at line 1");
	}

	@Test
	void readsUrlAndToken() throws IOException {
		ApiServer server = load("server: https://127.0.0.1:6443/prefix", "token: s3cret");
		assertThat(server.url()).isEqualTo(URI.create("https://127.0.0.1:6443/prefix"));
		assertThat(server.token().token()).isEqualTo("s3cret");
		assertThat(server.sslBundle()).isNull();
		assertThat(server.origin()).isEqualTo("kubeconfig " + this.folder.resolve("config") + ", context dev");
		assertThat(server.toString()).doesNotContain("s3cret");
	}

	@Test
	void readsTokenFilesRelativeToItsFolder() throws IOException {
		Files.writeString(this.folder.resolve("token.txt"), "s3cret\n");
		ApiServer server = load("server: http://127.0.0.1", "{tokenFile: token.txt, token: other}");
		assertThat(server.token().token()).isEqualTo("s3cret");
	}

	@Test
	void connectsWithAnRsaCertificateInFiles() throws Exception {
		Files.writeString(this.folder.resolve("ca.crt"), serverCertificate.certificate());
		Files.writeString(this.folder.resolve("me.crt"), rsa.certificate());
		Files.writeString(this.folder.resolve("me.key"), rsa.pkcs1Key());
		connects("certificate-authority: ca.crt", "{client-certificate: me.crt, client-key: me.key}", rsa);
	}

	@Test
	void connectsWithAnEcCertificateInPlace() throws Exception {
		connects("certificate-authority-data: " + base64(serverCertificate.certificate()),
				"{client-certificate: gone, client-certificate-data: " + base64(ec.certificate())
						+ ", client-key-data: " + base64(ec.key()) + "}",
				ec);
	}

	@Test
	void connectsWithoutVerificationWhenTold(CapturedOutput output) throws Exception {
		connects("insecure-skip-tls-verify: true", "{client-certificate-data: " + base64(ec.certificate())
				+ ", client-key-data: " + base64(ec.key()) + "}", ec);
		assertThat(output).contains("insecure-skip-tls-verify");
	}

	private void connects(String cluster, String user, Certificates client) throws Exception {
		try (RawServer server = tlsServer(client)) {
			ApiServer apiServer = load("server: https://127.0.0.1:" + server.port() + "\n    " + cluster, user);
			StepVerifier.create(Clients.widgets(Clients.client(apiServer, Clients.OPTIONS)).list(Clients.list()))
				.assertNext((page) -> assertThat(page.items()).hasSize(1))
				.expectComplete()
				.verify(Duration.ofSeconds(20));
			StepVerifier
				.create(Clients.widgets(Clients.client(apiServer, Clients.OPTIONS))
					.watch(Clients.watch())
					.filter(Clients::isFrame))
				.expectNextCount(1)
				.expectComplete()
				.verify(Duration.ofSeconds(20));
		}
	}

	private RawServer tlsServer(Certificates client) throws Exception {
		return new RawServer((request, connection) -> {
			connection.openWatch();
			connection.write(request.target().contains("watch=true") ? Clients.frame("ADDED", Clients.json("a", 1))
					: "{\"items\":[" + Clients.json("a", 1) + "]}");
		}, serverCertificate.serverSockets(client));
	}

	@Test
	void doesNotConnectToAServerItDoesNotTrust() throws Exception {
		try (RawServer server = tlsServer(ec)) {
			ApiServer apiServer = load("server: https://127.0.0.1:" + server.port(), "{client-certificate-data: "
					+ base64(ec.certificate()) + ", client-key-data: " + base64(ec.key()) + "}");
			StepVerifier.create(Clients.widgets(Clients.client(apiServer, Clients.OPTIONS)).list(Clients.list()))
				.expectError()
				.verify(Duration.ofSeconds(20));
			assertThat(server.requests()).isEmpty();
		}
	}

	@Test
	void sslBundleHoldsWhatIsGivenOnly() throws Exception {
		SslBundle bundle = load("server: https://h\n    certificate-authority-data: " + base64(rsa.certificate()), "{}")
			.sslBundle();
		assertThat(bundle.getStores().getKeyStore()).isNull();
		assertThat(bundle.getStores().getTrustStore().size()).isOne();
	}

	@ParameterizedTest
	@ValueSource(strings = { "exec: {command: aws}", "auth-provider: {name: gcp}", "username: s3cret", "as: admin" })
	void refusesUsersItDoesNotSupport(String user) {
		fails("server: https://h", user, user.substring(0, user.indexOf(':')), "user 'me'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "proxy-url: http://p", "tls-server-name: other" })
	void refusesClustersItDoesNotSupport(String cluster) {
		fails("server: https://h\n    " + cluster, "{}", cluster.substring(0, cluster.indexOf(':')), "cluster 'local'");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "server: ''", "other: x", "server: host:6443", "server: ftp://h", "server: https://me:s3cret@h",
					"server: 'https://h?s3cret'", "server: 'ht tp://s3cret'", "server: [s3cret]" })
	void refusesServersWithoutAUsableUrl(String cluster) {
		fails(cluster, "{}", "server", "cluster 'local'");
	}

	@Test
	void refusesUnusableCertificates() throws Exception {
		fails("server: https://h\n    certificate-authority-data: s3cret!", "{}", "certificate-authority-data",
				"base64");
		fails("server: https://h\n    certificate-authority-data: " + base64("s3cret"), "{}", "certificate-authority",
				"PEM");
		fails("server: https://h\n    certificate-authority: gone.crt", "{}", "gone.crt", "cannot be read");
		fails("server: https://h", "client-certificate-data: " + base64(ec.certificate()), "client-key", "both");
		fails("server: https://h",
				"{client-certificate-data: " + base64(ec.certificate()) + ", client-key-data: "
						+ base64("-----BEGIN PRIVATE KEY-----\nczNjcmV0\n-----END PRIVATE KEY-----\n") + "}",
				"client-key", "RSA");
		fails("server: https://h", "{client-certificate-data: " + base64(ec.certificate()) + ", client-key-data: "
				+ base64("s3cret") + "}", "client-key", "PEM");
	}

	@Test
	void saysWhatIsMissing() throws IOException {
		Path file = write("server: https://h", "{}");
		failure(file, "gone", "context 'gone'", "[other, dev]");
		failure(file, "other", "cluster 'gone'", "[local]");
		Files.writeString(file, "{contexts: [{name: c, context: {cluster: c, user: u}}], clusters: "
				+ "[{name: c, cluster: {server: 'https://h'}}]}");
		failure(file, null, "current-context", "reflector.api-server.context");
		failure(file, "c", "user 'u'", "[]");
		failure(this.folder.resolve("none"), null, "no kubeconfig", "reflector.api-server.kubeconfig");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "text", "[1]", "a: [", "a: 1\na: 2", "a: !!java.net.URL ['http://s3cret']",
			"token: s3cret: x", "users: text" })
	void refusesWhatIsNoKubeconfig(String text) throws IOException {
		Path file = this.folder.resolve("config");
		Files.writeString(file, text);
		failure(file, null, file.toString());
	}

	private void fails(String cluster, String user, String... expected) {
		try {
			failure(write(cluster, user), null, expected);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void failure(Path file, String context, String... expected) {
		assertThatExceptionOfType(KubeconfigException.class).isThrownBy(() -> Kubeconfig.load(file, context))
			.satisfies((ex) -> {
				assertThat(ex.getMessage()).contains(expected).contains(file.toString());
				assertThat(ex).extracting((failure) -> {
					StringWriter text = new StringWriter();
					failure.printStackTrace(new PrintWriter(text));
					return text.toString();
				}).asString().doesNotContain("s3cret").doesNotContain("czNjcmV0");
			});
	}

	private ApiServer load(String cluster, String user) throws IOException {
		return Kubeconfig.load(write(cluster, user), null);
	}

	private Path write(String cluster, String user) throws IOException {
		Path file = this.folder.resolve("config");
		Files.writeString(file, TEMPLATE.formatted(cluster, user));
		return file;
	}

	private static String base64(String text) {
		return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

}
