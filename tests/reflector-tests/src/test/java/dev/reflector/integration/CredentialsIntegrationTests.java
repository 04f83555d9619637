package dev.reflector.integration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Map;

import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.InClusterConfig;
import dev.reflector.client.credentials.Kubeconfig;
import dev.reflector.test.CertificateAuthority;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.PemCertificate;
import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.http.client.InetAddressFilter;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Every form of credentials over TLS, and their rotation under a running watch.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CredentialsIntegrationTests {

	private static final String[] FAST = { "reflector.backoff.initial=50ms", "reflector.backoff.max=100ms",
			"reflector.watch.initial-list=list" };

	@TempDir
	private Path folder;

	private EmbeddedApiServer server;

	@AfterEach
	void closeServer() {
		this.server.close();
	}

	private EmbeddedApiServer start(EmbeddedApiServer.Builder builder) {
		this.server = builder.type("example.com/v1", "Widget", "widgets", true).tls().start();
		create("a");
		return this.server;
	}

	private void create(String name) {
		this.server.resources("widgets").create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", 1)));
	}

	private MirrorApplication application(Path kubeconfig) {
		return MirrorApplication.start(FAST[0], FAST[1], FAST[2], "reflector.api-server.kubeconfig=" + kubeconfig);
	}

	private Path kubeconfig(String user) {
		return KubeconfigFile.trusting(this.server.caCertificate(), user).write(this.folder, this.server.url());
	}

	/** Credentials have changed: the next watch must get through without a new list. */
	private void watchesOn(MirrorApplication application, Runnable rotation) {
		application.awaitEqualTo(this.server.resources("widgets"));
		await().until(() -> this.server.activeWatches() == 1);
		// else it would count as a very short one
		create("event");
		application.awaitEqualTo(this.server.resources("widgets"));
		int watches = this.server.requests(RecordedRequest::isWatch).size();
		rotation.run();
		this.server.closeWatches();
		await().until(() -> this.server.requests(RecordedRequest::isWatch).size() > watches
				&& this.server.activeWatches() == 1);
		create("b");
		application.awaitEqualTo(this.server.resources("widgets"));
		assertThat(this.server.requests(RecordedRequest::isList)).hasSize(1);
		assertThat(application.reflector.status().counts().errors()).isZero();
		assertThat(application.heard.mistakes).isEmpty();
	}

	@Test
	void tokenInTheKubeconfig(CapturedOutput output) throws IOException {
		start(EmbeddedApiServer.builder().requireToken("alpha"));
		Path kubeconfig = kubeconfig("{token: alpha}");
		try (MirrorApplication application = application(kubeconfig)) {
			application.awaitEqualTo(this.server.resources("widgets"));
		}
		assertThat(output).contains("Reflectors use the API server " + this.server.url() + " (from kubeconfig "
				+ kubeconfig + ", context test)");
	}

	@Test
	void tokenFileThatIsReplaced() throws IOException {
		start(EmbeddedApiServer.builder().requireToken("alpha"));
		Path token = Files.writeString(this.folder.resolve("token"), "alpha\n");
		try (MirrorApplication application = application(kubeconfig("{tokenFile: token}"))) {
			watchesOn(application, () -> {
				write(token, "beta\n");
				this.server.acceptTokens("beta");
			});
		}
	}

	private static void write(Path file, String text) {
		try {
			Files.writeString(file, text);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void clientCertificate() throws IOException {
		CertificateAuthority clients = CertificateAuthority.create();
		start(EmbeddedApiServer.builder().requireClientCertificates(clients.certificate()));
		Path kubeconfig = this.folder.resolve("kubeconfig");
		Files.writeString(kubeconfig, this.server.kubeconfig(clients.forClient("app")));
		try (MirrorApplication application = application(kubeconfig)) {
			application.awaitEqualTo(this.server.resources("widgets"));
		}
	}

	@Test
	void tokenOfAPluginThatIsRejectedAfterAWhile() throws IOException {
		start(EmbeddedApiServer.builder().requireToken("alpha"));
		PluginScript plugin = new PluginScript(this.folder);
		plugin.answer("alpha");
		try (MirrorApplication application = application(plugin.kubeconfig(this.server))) {
			watchesOn(application, () -> {
				answer(plugin, "beta");
				this.server.acceptTokens("beta");
			});
			assertThat(plugin.runs()).isEqualTo(2);
		}
		assertThat(Files.readAllLines(this.folder.resolve("runs"))).containsOnly("get-token hello");
	}

	private static void answer(PluginScript plugin, String token) {
		try {
			plugin.answer(token);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void certificateOfAPluginThatIsRejectedAfterAWhile() throws IOException {
		CertificateAuthority clients = CertificateAuthority.create();
		start(EmbeddedApiServer.builder().requireClientCertificates(clients.certificate()));
		PluginScript plugin = new PluginScript(this.folder);
		plugin.answer(clients.forClient("first"));
		try (MirrorApplication application = application(plugin.kubeconfig(this.server))) {
			PemCertificate second = clients.forClient("second");
			watchesOn(application, () -> {
				this.server.fail(RecordedRequest::isWatch, 1, Fault.status(401));
				answer(plugin, second);
			});
			assertThat(plugin.runs()).isEqualTo(2);
		}
	}

	private static void answer(PluginScript plugin, PemCertificate certificate) {
		try {
			plugin.answer(certificate);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void tokenAndCertificateOfAPluginThatExpire() throws IOException {
		CertificateAuthority clients = CertificateAuthority.create();
		start(EmbeddedApiServer.builder().requireToken("alpha").requireClientCertificates(clients.certificate()));
		PluginScript plugin = new PluginScript(this.folder);
		plugin.answerExpired("alpha", clients.forClient("first"));
		try (MirrorApplication application = application(plugin.kubeconfig(this.server))) {
			watchesOn(application, () -> {
				this.server.acceptTokens("beta");
				answerExpired(plugin, "beta", clients.forClient("second"));
			});
			// the plugin ran before every request, and no request was repeated
			assertThat(this.server.requests(RecordedRequest::isWatch)).hasSize(2);
			assertThat(plugin.runs()).isEqualTo(this.server.requests().size());
		}
	}

	private static void answerExpired(PluginScript plugin, String token, PemCertificate certificate) {
		try {
			plugin.answerExpired(token, certificate);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** The server, which has not been asked for anything, is not blamed. */
	@Test
	void pluginThatHangsIsNamed(CapturedOutput output) throws IOException {
		start(EmbeddedApiServer.builder());
		PluginScript plugin = new PluginScript(this.folder);
		plugin.hang();
		Path kubeconfig = plugin.kubeconfig(this.server);
		try (MirrorApplication application = MirrorApplication.start("reflector.watch.initial-list=stream",
				"reflector.api-server.kubeconfig=" + kubeconfig)) {
			await().until(() -> output.getAll().contains("/plugin' is still running after 5 s"));
			await().untilAsserted(() -> assertThat(output)
				.contains("the request for all objects has not been sent yet; it waits for the credential plugin"));
			assertThat(output).doesNotContain("bookmark that ends");
			assertThat(application.reflector.state()).isEqualTo(ReflectorState.LISTING);
			assertThat(this.server.requests()).isEmpty();
		}
	}

	@Test
	void pluginThatFailsForAWhileIsShownAndHeals() throws IOException {
		start(EmbeddedApiServer.builder().requireToken("alpha"));
		PluginScript plugin = new PluginScript(this.folder);
		plugin.print("garbage with s3cret");
		try (MirrorApplication application = application(plugin.kubeconfig(this.server))) {
			await().until(() -> application.reflector.status().lastError() != null);
			ReflectorStatus.LastError error = application.reflector.status().lastError();
			await().until(() -> application.reflector.state() == ReflectorState.BACKING_OFF);
			assertThat(error.reason()).isEqualTo("Credentials");
			assertThat(error.message()).startsWith("the credential plugin '" + this.folder.resolve("./plugin")
					+ "' has not printed JSON (exec of user 'u' in kubeconfig " + this.folder.resolve("kubeconfig")
					+ "); run it in a shell");
			assertThat(this.server.requests()).isEmpty();
			plugin.answer("alpha");
			application.awaitEqualTo(this.server.resources("widgets"));
		}
	}

	/** A server would prefer the user of the certificate to that of the token. */
	@Test
	void tokenOfThePropertiesReplacesCredentialsButNotImpersonation() throws IOException {
		start(EmbeddedApiServer.builder().requireToken("alpha"));
		Path kubeconfig = kubeconfig(KubeconfigFile.user(CertificateAuthority.create().forClient("admin"),
				"token: other, as: jane, as-groups: [dev], as-uid: u-1, "));
		try (MirrorApplication application = MirrorApplication.start(FAST[0], FAST[1], FAST[2],
				"reflector.api-server.kubeconfig=" + kubeconfig, "reflector.api-server.token=alpha")) {
			application.awaitEqualTo(this.server.resources("widgets"));
			ApiServer used = application.context.getBean(ReflectorConnectionDetails.class).getApiServer();
			assertThat(used.ssl().bundle().getStores().getKeyStore()).isNull();
			await().until(() -> this.server.activeWatches() == 1);
		}
		assertThat(this.server.requests()).hasSizeGreaterThan(1).allSatisfy((request) -> {
			assertThat(request.header("Impersonate-User")).isEqualTo("jane");
			assertThat(request.header("Impersonate-Group")).isEqualTo("dev");
			assertThat(request.header("Impersonate-Uid")).isEqualTo("u-1");
		});
	}

	@Test
	void serviceAccountWhoseTokenIsReplaced() throws IOException {
		start(EmbeddedApiServer.builder().requireToken("alpha"));
		Path token = Files.writeString(this.folder.resolve("token"), "alpha");
		Files.writeString(this.folder.resolve("ca.crt"), this.server.caCertificate());
		Files.writeString(this.folder.resolve("namespace"), "team-a");
		Map<String, String> environment = Map.of("KUBERNETES_SERVICE_HOST", "127.0.0.1", "KUBERNETES_SERVICE_PORT",
				String.valueOf(this.server.port()));
		try (MirrorApplication application = MirrorApplication
			.start(() -> InClusterConfig.detect(environment, this.folder).orElseThrow(), FAST)) {
			watchesOn(application, () -> {
				write(token, "beta");
				this.server.acceptTokens("beta");
			});
		}
	}

	@Test
	void tokenFileAndSslBundleOfTheProperties() throws IOException {
		start(EmbeddedApiServer.builder().requireToken("alpha"));
		Path token = Files.writeString(this.folder.resolve("token"), "alpha");
		Path authority = Files.writeString(this.folder.resolve("ca.crt"), this.server.caCertificate());
		try (MirrorApplication application = MirrorApplication.on(this.server, FAST[0], FAST[1], FAST[2],
				"reflector.api-server.token-file=" + token, "reflector.api-server.ssl-bundle=cluster",
				"spring.ssl.bundle.pem.cluster.truststore.certificate=" + authority)) {
			watchesOn(application, () -> {
				write(token, "beta");
				this.server.acceptTokens("beta");
			});
		}
	}

	/** The bean of an application that sends requests to addresses of others. */
	@Test
	void filtersOfAddressesDoNotApplyToTheServer() {
		start(EmbeddedApiServer.builder().requireToken("alpha"));
		try (MirrorApplication application = MirrorApplication.start(
				(context) -> ((GenericApplicationContext) context).registerBean(InetAddressFilter.class,
						InetAddressFilter::externalAddresses),
				FAST[0], FAST[1], FAST[2], "reflector.api-server.kubeconfig=" + kubeconfig("{token: alpha}"))) {
			application.awaitEqualTo(this.server.resources("widgets"));
			assertThat(application.reflector.status().counts().errors()).isZero();
		}
	}

	@Test
	void newCertificateOfAPluginIsANewBundle() throws Exception {
		CertificateAuthority clients = CertificateAuthority.create();
		start(EmbeddedApiServer.builder().requireClientCertificates(clients.certificate()));
		PluginScript plugin = new PluginScript(this.folder);
		plugin.answer(clients.forClient("first"));
		ApiServer described = Kubeconfig.load(plugin.kubeconfig(this.server), null);
		assertThat(described.token().obtain().blockOptional()).isEmpty();
		SslBundle first = described.ssl().bundle();
		assertThat(described.ssl().bundle()).isSameAs(first);
		plugin.answer(clients.forClient("second"));
		assertThat(described.token().renew(null)).isTrue();
		assertThat(described.token().obtain().blockOptional()).isEmpty();
		assertThat(described.ssl().bundle()).isNotSameAs(first);
		KeyStore keys = described.ssl().bundle().getStores().getKeyStore();
		assertThat(keys.getCertificate(keys.aliases().nextElement()).toString()).contains("CN=second");
	}

	@Test
	void forbiddenRequestIsAnsweredWithTheRolesToCreate(CapturedOutput output) throws IOException {
		start(EmbeddedApiServer.builder().requireToken("alpha"));
		this.server.fail(RecordedRequest::isList, 3, Fault.status(403));
		try (MirrorApplication application = application(kubeconfig("{token: alpha}"))) {
			application.awaitEqualTo(this.server.resources("widgets"));
		}
		assertThat(output).contains("verb 'list' on resource 'widgets.example.com' in all namespaces")
			.containsOnlyOnce("The server forbids requests of reflector 'widgets'.")
			.containsOnlyOnce("kind: ClusterRole")
			.contains("- apiGroups: [\"example.com\"]\n  resources: [\"widgets\"]\n  verbs: [\"list\", \"watch\"]");
	}

}
