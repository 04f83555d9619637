package dev.reflector.integration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.stream.Stream;

import dev.reflector.ReflectorStatus;
import dev.reflector.autoconfigure.ReflectorProperties;
import dev.reflector.autoconfigure.internal.connection.PropertiesReflectorConnectionDetails;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.Kubeconfig;
import dev.reflector.fixture.LongForm;
import dev.reflector.test.CertificateAuthority;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.PemCertificate;
import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * The certificates of the server and of the client, and both authorities, are replaced
 * under a running watch: no restart, no new list, no lost event.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CertificateRotationIntegrationTests {

	private static final String[] FAST = { "reflector.backoff.initial=50ms", "reflector.backoff.max=100ms",
			"reflector.watch.initial-list=list" };

	@TempDir
	private Path folder;

	private CertificateAuthority servers = CertificateAuthority.create();

	private CertificateAuthority clients = CertificateAuthority.create();

	private EmbeddedApiServer server;

	private Relay relay;

	@BeforeEach
	void startServer() throws IOException {
		this.server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.tls(this.servers.forServer())
			.start();
		this.relay = new Relay(this.server);
		create("a");
	}

	@AfterEach
	void closeServer() throws IOException {
		this.relay.close();
		this.server.close();
	}

	private void create(String name) {
		this.server.resources("widgets").create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", 1)));
	}

	private MirrorApplication start(CertificateSources source) {
		if (source.hasClientCertificate()) {
			this.server.acceptClientCertificates(this.clients.certificate());
		}
		write(source);
		MirrorApplication application = source.start(this.folder, this.relay.url(), FAST);
		application.awaitEqualTo(this.server.resources("widgets"));
		await().until(() -> this.server.activeWatches() == 1);
		// else it would count as a very short one
		create("event");
		application.awaitEqualTo(this.server.resources("widgets"));
		return application;
	}

	private void write(CertificateSources source) {
		source.write(this.folder, this.relay.url(), this.servers.certificate(), this.clients.forClient("app"));
	}

	/** Replaces all certificates and authorities. */
	private void rotateServer(CertificateSources source) {
		this.servers = CertificateAuthority.create();
		this.server.useCertificate(this.servers.forServer());
		if (source.hasClientCertificate()) {
			this.clients = CertificateAuthority.create();
			this.server.acceptClientCertificates(this.clients.certificate());
		}
	}

	/** Whether a request is a list, and not a question for the version of the server. */
	private static boolean isFullList(RecordedRequest request) {
		return request.isList() && request.parameter("resourceVersionMatch") == null;
	}

	private void watchesOn(MirrorApplication application, String event) {
		await().until(() -> this.server.activeWatches() == 1);
		create(event);
		application.awaitEqualTo(this.server.resources("widgets"));
		assertThat(this.server.requests(CertificateRotationIntegrationTests::isFullList)).hasSize(1);
		assertThat(application.reflector.status().counts().relists()).isZero();
		assertThat(application.heard.mistakes).isEmpty();
	}

	/**
	 * The first three are read in different ways, each of the others like one of them.
	 */
	static Stream<CertificateSources> sources() {
		return Stream
			.of(CertificateSources.FILES_WITH_THE_CLIENT_OF_THE_JDK, CertificateSources.PLUGIN,
					CertificateSources.BUNDLE, CertificateSources.SERVICE_ACCOUNT, CertificateSources.FILES,
					CertificateSources.DATA, CertificateSources.PROJECTED_VOLUME)
			.limit(LongForm.atMost(3));
	}

	@ParameterizedTest
	@MethodSource("sources")
	void theNextWatchUsesTheNewCertificates(CertificateSources source, CapturedOutput output) {
		try (MirrorApplication application = start(source)) {
			Runnable loaded = source.follow(application.context, this.folder);
			for (int rotation = 1; rotation <= LongForm.times(2, 1); rotation++) {
				int connections = this.relay.accepted();
				int watches = this.server.requests(RecordedRequest::isWatch).size();
				rotateServer(source);
				write(source);
				loaded.run();
				// the watch continues
				create("during" + rotation);
				application.awaitEqualTo(this.server.resources("widgets"));
				assertThat(this.server.requests(RecordedRequest::isWatch)).hasSize(watches);
				assertThat(this.relay.accepted()).isEqualTo(connections);
				this.server.closeWatches();
				await().until(() -> this.server.requests(RecordedRequest::isWatch).size() > watches);
				watchesOn(application, "after" + rotation);
				assertThat(this.relay.accepted()).isGreaterThan(connections);
				if (source != CertificateSources.FILES_WITH_THE_CLIENT_OF_THE_JDK) {
					// no connection with the old certificates stays open
					await().until(() -> this.relay.open() == 1);
				}
			}
			if (source.readsByItself() && source != CertificateSources.PLUGIN) {
				assertThat(application.reflector.status().counts().errors()).isZero();
			}
		}
		assertThat(output).contains("New connections use the new ones");
	}

	static Stream<CertificateSources> sourcesThatComeLate() {
		return Stream
			.of(CertificateSources.FILES, CertificateSources.BUNDLE, CertificateSources.DATA, CertificateSources.PLUGIN,
					CertificateSources.FILES_WITH_THE_CLIENT_OF_THE_JDK)
			.limit(LongForm.atMost(1));
	}

	@ParameterizedTest
	@MethodSource("sourcesThatComeLate")
	void aLateCertificateRestoresTheConnection(CertificateSources source) {
		try (MirrorApplication application = start(source)) {
			String trusted = this.servers.certificate();
			rotateServer(source);
			this.relay.cut();
			await().untilAsserted(() -> assertThat(application.reflector.status().lastError())
				.extracting(ReflectorStatus.LastError::reason)
				.isEqualTo("UntrustedServerCertificate"));
			assertThat(application.reflector.status().lastError().message())
				.startsWith(
						"the certificate of " + this.relay.url() + " is not from an authority that is trusted here (")
				.contains("It is from CN=embedded-api-")
				.doesNotContain("PKIX");
			assertThat(trusted).isNotEqualTo(this.server.caCertificate());
			write(source);
			watchesOn(application, "after");
		}
	}

	static Stream<CertificateSources> sourcesOfClientCertificates() {
		return Stream.of(CertificateSources.PROJECTED_VOLUME, CertificateSources.DATA, CertificateSources.BUNDLE)
			.limit(LongForm.atMost(1));
	}

	@ParameterizedTest
	@MethodSource("sourcesOfClientCertificates")
	void clientCertificateThatIsRejectedIsShownAndReplaced(CertificateSources source) {
		try (MirrorApplication application = start(source)) {
			this.clients = CertificateAuthority.create();
			this.server.acceptClientCertificates(this.clients.certificate());
			this.relay.cut();
			await().until(() -> application.reflector.status().lastError() != null);
			ReflectorStatus.LastError error = application.reflector.status().lastError();
			assertThat(error.message()).contains(this.relay.url().toString());
			write(source);
			watchesOn(application, "after");
		}
	}

	static Stream<CertificateSources> sourcesThatAreWrittenInPlace() {
		return Stream
			.of(CertificateSources.DATA, CertificateSources.BUNDLE, CertificateSources.FILES,
					CertificateSources.SERVICE_ACCOUNT)
			.limit(LongForm.atMost(2));
	}

	@ParameterizedTest
	@MethodSource("sourcesThatAreWrittenInPlace")
	void aHalfWrittenFileIsNotUsed(CertificateSources source, CapturedOutput output) throws IOException {
		try (MirrorApplication application = start(source)) {
			Path file = this.folder.resolve((source == CertificateSources.DATA) ? "kubeconfig" : "ca.crt");
			String text = Files.readString(file);
			CertificateSources.replace(file, text.substring(0, text.length() * 2 / 3));
			for (int i = 0; i < 3; i++) {
				int connections = this.relay.accepted();
				this.relay.cut();
				await().until(() -> this.relay.accepted() > connections);
				watchesOn(application, "meanwhile" + i);
			}
			if (source == CertificateSources.BUNDLE) {
				await().until(() -> output.getOut().contains("cannot be used. The previous bundle stays in use"));
			}
			rotateServer(source);
			write(source);
			this.server.closeWatches();
			watchesOn(application, "after");
			if (source.readsByItself()) {
				assertThat(output).containsOnlyOnce("The content read before stays in use").contains(file.toString());
				assertThat(application.reflector.status().counts().errors()).isZero();
			}
		}
		assertThat(output).doesNotContain("PRIVATE KEY");
	}

	@Test
	void aFileThatIsUnreadableForAWhileIsNotUsed(CapturedOutput output) throws IOException {
		try (MirrorApplication application = start(CertificateSources.FILES)) {
			Path key = this.folder.resolve("client.key");
			Files.delete(key);
			this.relay.cut();
			watchesOn(application, "without");
			assertThat(output).contains(key + " does not exist");
			// between the replacement of two files, the key may belong to another
			// certificate
			CertificateSources.replace(key, CertificateAuthority.create().forClient("other").key());
			this.relay.cut();
			watchesOn(application, "other");
			assertThat(output).contains("the private key is not that of the certificate");
			rotateServer(CertificateSources.FILES);
			write(CertificateSources.FILES);
			this.relay.cut();
			watchesOn(application, "after");
			assertThat(application.reflector.status().counts().errors()).isZero();
			assertThat(output).contains("The kubeconfig can be used again");
		}
	}

	/** The state between the replacement of two files. */
	@Test
	void aBundleWithTheKeyOfAnotherCertificateIsNotUsed(CapturedOutput output) {
		PemCertificate client = this.clients.forClient("app");
		PemCertificate next = this.clients.forClient("app");
		SslBundle first = bundle(client.certificate(), client.key());
		DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry("cluster", first);
		StaticListableBeanFactory beans = new StaticListableBeanFactory(Map.of("bundles", bundles));
		ReflectorProperties properties = new Binder(new MapConfigurationPropertySource(
				Map.of("reflector.api-server.url", this.server.url(), "reflector.api-server.ssl-bundle", "cluster")))
			.bind("reflector", ReflectorProperties.class)
			.get();
		ApiServer described = new PropertiesReflectorConnectionDetails(properties.apiServer(), new MockEnvironment(),
				beans.getBeanProvider(SslBundles.class), this.folder)
			.getApiServer();
		bundles.updateBundle("cluster", bundle(next.certificate(), client.key()));
		assertThat(described.ssl().bundle()).isSameAs(first);
		assertThat(output).contains("the private key is not that of the certificate");
		SslBundle whole = bundle(next.certificate(), next.key());
		bundles.updateBundle("cluster", whole);
		assertThat(described.ssl().bundle()).isSameAs(whole);
	}

	private static SslBundle bundle(String certificate, String key) {
		return SslBundle
			.of(new PemSslStoreBundle(PemSslStoreDetails.forCertificates(certificate).withPrivateKey(key), null));
	}

	@Test
	void tokenThatStandsInTheKubeconfigIsReadAgain() throws IOException {
		this.server.acceptTokens("alpha");
		Path kubeconfig = Files.writeString(this.folder.resolve("kubeconfig"), this.server.kubeconfig());
		try (MirrorApplication application = MirrorApplication.start(FAST[0], FAST[1], FAST[2],
				"reflector.api-server.kubeconfig=" + kubeconfig)) {
			application.awaitEqualTo(this.server.resources("widgets"));
			await().until(() -> this.server.activeWatches() == 1);
			create("event");
			application.awaitEqualTo(this.server.resources("widgets"));
			this.server.acceptTokens("beta");
			Files.writeString(kubeconfig, this.server.kubeconfig());
			this.server.closeWatches();
			watchesOn(application, "after");
			assertThat(application.reflector.status().counts().errors()).isZero();
		}
	}

	@Test
	void anotherClusterInTheKubeconfigGetsNoRequest(CapturedOutput output) throws IOException {
		this.server.acceptTokens("alpha");
		Path file = Files.writeString(this.folder.resolve("kubeconfig"), this.server.kubeconfig());
		ApiServer described = Kubeconfig.load(file, null);
		SslBundle bundle = described.ssl().bundle();
		Files.writeString(file,
				this.server.kubeconfig().replace("127.0.0.1", "elsewhere.test").replace("alpha", "s3cret"));
		assertThat(described.token().token()).isEqualTo("alpha");
		assertThat(described.ssl().bundle()).isSameAs(bundle);
		assertThat(output).contains("now names another server than " + this.server.url())
			.contains("restart the application to use it")
			.doesNotContain("s3cret");
	}

	@Test
	void anApparentlyUnchangedFileIsReadAgainAfterARejection() throws IOException {
		CertificateSources.FILES.write(this.folder, this.server.url(), this.servers.certificate(),
				this.clients.forClient("app"));
		Path file = this.folder.resolve("ca.crt");
		ApiServer described = Kubeconfig.load(this.folder.resolve("kubeconfig"), null);
		SslBundle first = described.ssl().bundle();
		assertThat(described.ssl().renew(first)).isFalse();
		FileTime time = Files.getLastModifiedTime(file);
		String text = Files.readString(file);
		String other = CertificateAuthority.create().certificate();
		while (other.length() != text.length()) {
			other = CertificateAuthority.create().certificate();
		}
		Files.writeString(file, other);
		Files.setLastModifiedTime(file, time);
		assertThat(described.ssl().bundle()).isSameAs(first);
		assertThat(described.ssl().renew(first)).isTrue();
		assertThat(described.ssl().bundle()).isNotSameAs(first);
	}

	@Test
	void bundleThatCannotBeUsedFailsTheStart(CapturedOutput output) {
		PemCertificate client = this.clients.forClient("app");
		CertificateSources.BUNDLE.write(this.folder, this.server.url(), "no certificate", client);
		assertThatException()
			.isThrownBy(() -> CertificateSources.BUNDLE.start(this.folder, this.server.url(), FAST).close());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The SSL bundle 'cluster', named by 'reflector.api-server.ssl-bundle', cannot be used")
			.doesNotContain("PRIVATE KEY");
	}

}
