package dev.reflector.integration;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.reflector.ReflectorStatus;
import dev.reflector.fixture.LongForm;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.test.CertificateAuthority;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.PemCertificate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.env.EnvironmentEndpoint;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * Looks for secrets in all output of an application, with everything logged and a server
 * that fails in several ways.
 */
@ExtendWith({ SecretsIntegrationTests.Unprinted.class, OutputCaptureExtension.class })
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SecretsIntegrationTests {

	private static final String TOKEN = "s3cretT0kenOfTheTest";

	/**
	 * Logs everything except names of beans and classes, which would be most of the log.
	 */
	private static final List<String> LOG = List.of("logging.level.root=trace",
			"logging.level.javax.management.modelmbean=info",
			"logging.level.org.springframework.beans.factory.support=info",
			"logging.level.org.springframework.boot.autoconfigure.condition=info",
			"logging.level.org.springframework.context.annotation=info",
			"logging.level.org.springframework.core.io.support=info");

	private final CertificateAuthority clients = CertificateAuthority.create();

	private final PemCertificate client = this.clients.forClient("app");

	@TempDir
	private Path folder;

	private EmbeddedApiServer server;

	private static @Nullable LogLevel levelBefore;

	@BeforeAll
	static void rememberLevel() {
		levelBefore = logging().getLoggerConfiguration(LoggingSystem.ROOT_LOGGER_NAME).getConfiguredLevel();
	}

	/**
	 * Restores the level: the level that a context has set remains after the context is
	 * closed.
	 */
	@AfterAll
	static void restoreLevel() {
		logging().setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, levelBefore);
	}

	private static LoggingSystem logging() {
		return LoggingSystem.get(SecretsIntegrationTests.class.getClassLoader());
	}

	@BeforeEach
	void startServer() {
		this.server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.tls()
			.requireToken(TOKEN)
			.start();
		this.server.resources("widgets").create(Map.of("metadata", Map.of("name", "a")));
	}

	@AfterEach
	void closeServer() {
		this.server.close();
	}

	@Test
	void tokenOfTheProperties(CapturedOutput output) throws IOException {
		Path authority = Files.writeString(this.folder.resolve("ca.crt"), this.server.caCertificate());
		// where secrets of the configuration commonly come from
		Path secrets = Files.createDirectory(this.folder.resolve("secrets"));
		Files.writeString(secrets.resolve("reflector.api-server.token"), TOKEN);
		fails(output, "spring.config.import=configtree:" + secrets + "/",
				"reflector.api-server.url=" + this.server.url(), "reflector.api-server.ssl-bundle=cluster",
				"spring.ssl.bundle.pem.cluster.truststore.certificate=" + authority);
	}

	@Test
	@LongFormOnly
	void tokenFileOfTheProperties(CapturedOutput output) throws IOException {
		Path authority = Files.writeString(this.folder.resolve("ca.crt"), this.server.caCertificate());
		Path token = Files.writeString(this.folder.resolve("token"), TOKEN);
		fails(output, "reflector.api-server.token-file=" + token, "reflector.api-server.url=" + this.server.url(),
				"reflector.api-server.ssl-bundle=cluster",
				"spring.ssl.bundle.pem.cluster.truststore.certificate=" + authority);
	}

	@Test
	@LongFormOnly
	void tokenInTheKubeconfig(CapturedOutput output) throws IOException {
		fails(output, kubeconfig("{token: " + TOKEN + "}"));
	}

	@Test
	void tokenFileOfTheKubeconfig(CapturedOutput output) throws IOException {
		Files.writeString(this.folder.resolve("token"), TOKEN);
		fails(output, kubeconfig("{tokenFile: token}"));
	}

	@Test
	void clientCertificateOfTheKubeconfig(CapturedOutput output) throws IOException {
		fails(output, kubeconfig(KubeconfigFile.user(this.client, "token: " + TOKEN + ", ")));
	}

	@Test
	@LongFormOnly
	void tokenOfAPlugin(CapturedOutput output) throws IOException {
		PluginScript plugin = new PluginScript(this.folder);
		plugin.answer(TOKEN);
		fails(output, "reflector.api-server.kubeconfig=" + plugin.kubeconfig(this.server));
	}

	@Test
	void certificateOfAPlugin(CapturedOutput output) throws IOException {
		PluginScript plugin = new PluginScript(this.folder);
		plugin.answer(this.client);
		fails(output, "reflector.api-server.kubeconfig=" + plugin.kubeconfig(this.server));
	}

	@Test
	void pluginThatPrintsItsSecretsInTheWrongForm(CapturedOutput output) throws IOException {
		PluginScript plugin = new PluginScript(this.folder);
		plugin.print("token is " + TOKEN);
		fails(output, "reflector.api-server.kubeconfig=" + plugin.kubeconfig(this.server));
	}

	@Test
	@LongFormOnly
	// a plugin that is killed at the end of the application may just be writing
	void environmentOfAPlugin(CapturedOutput output, @TempDir(cleanup = CleanupMode.NEVER) Path plugins)
			throws IOException {
		PluginScript plugin = new PluginScript(plugins);
		plugin.print("no credential");
		Path file = plugin.kubeconfig(this.server);
		Files.writeString(file, Files.readString(file).replace("value: hello", "value: " + TOKEN));
		fails(output, "reflector.api-server.kubeconfig=" + file);
	}

	@Test
	void passwordOfAProxy(CapturedOutput output) throws IOException {
		try (ServerSocket bound = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			String setting = kubeconfig("{token: " + TOKEN + "}");
			Path file = this.folder.resolve("kubeconfig");
			Files.writeString(file, Files.readString(file)
				.replace("{server:",
						"{proxy-url: \"http://me:" + TOKEN + "@127.0.0.1:" + bound.getLocalPort() + "\", server:"));
			// accepts connections and never answers
			fails(output, setting, "reflector.api-server.connect-timeout=100ms",
					"reflector.api-server.idle-timeout=200ms");
		}
	}

	@Test
	void kubeconfigThatCannotBeUsed(CapturedOutput output) throws IOException {
		List<String> settings = new ArrayList<>(LOG);
		List<String> users = List.of("{token: [" + TOKEN + "]}", "{token: " + TOKEN + ": x}",
				"{client-key-data: " + TOKEN + "}", "{username: a, password: " + TOKEN + "}",
				"{auth-provider: {name: x, config: {token: " + TOKEN + "}}}",
				"{exec: {command: gone, apiVersion: client.authentication.k8s.io/v1, args: [" + TOKEN + "]}}");
		for (String user : users.subList(0, LongForm.times(6, 3))) {
			settings.add(kubeconfig(user));
			assertThatException().isThrownBy(() -> MirrorApplication.start(settings.toArray(String[]::new)).close());
			settings.remove(LOG.size());
		}
		assertThat(output).contains("APPLICATION FAILED TO START");
		assertThatNothingIsIn("log", output.getAll());
	}

	private String kubeconfig(String user) {
		return "reflector.api-server.kubeconfig="
				+ KubeconfigFile.trusting(this.server.caCertificate(), user).write(this.folder, this.server.url());
	}

	/** The application works at first, and then everything fails. */
	private void fails(CapturedOutput output, String... settings) {
		List<String> all = new ArrayList<>(Arrays.asList(settings));
		all.addAll(LOG);
		all.addAll(List.of("reflector.backoff.initial=20ms", "reflector.backoff.max=20ms",
				"management.endpoints.jmx.exposure.include=reflectors,env,configprops", "spring.jmx.enabled=true",
				"management.endpoint.env.show-values=always", "management.endpoint.configprops.show-values=always"));
		try (MirrorApplication application = MirrorApplication.start(all.toArray(String[]::new))) {
			await()
				.until(() -> application.reflector.hasSynced() || application.reflector.status().lastError() != null);
			this.server.fail((request) -> true, 1, Fault.garbage());
			this.server.fail((request) -> true, 1, Fault.disconnect());
			this.server.fail((request) -> true, 1, Fault.status(500));
			this.server.acceptTokens("another");
			this.server.closeWatches();
			application.reflector.relist();
			await().until(() -> application.reflector.status().counts().errors() > 4);
			ReflectorStatus.LastError error = application.reflector.status().lastError();
			assertThatNothingIsIn("status", error.message());
			assertThatNothingIsIn("configprops",
					json(application.context.getBean(ConfigurationPropertiesReportEndpoint.class)
						.configurationProperties()));
			assertThatNothingIsIn("env",
					json(application.context.getBean(EnvironmentEndpoint.class).environment(null)));
			for (String name : application.context.getBeanDefinitionNames()) {
				Object bean = application.context.getBean(name);
				if (bean.getClass().getName().startsWith("dev.reflector")) {
					assertThatNothingIsIn(name, bean.toString());
				}
			}
		}
		assertThat(output).contains("TRACE");
		assertThatNothingIsIn("log", output.getAll());
	}

	private static String json(Object descriptor) {
		return JsonMapper.shared().writeValueAsString(descriptor);
	}

	private void assertThatNothingIsIn(String where, String text) {
		secrets().forEach((secret) -> assertThat(text.contains(secret))
			.as(() -> where + " must not contain the secret, but does: " + around(text, secret))
			.isFalse());
	}

	private Stream<String> secrets() {
		String key = this.client.key().lines().skip(1).findFirst().orElseThrow();
		return Stream.of(TOKEN, KubeconfigFile.base64(TOKEN), KubeconfigFile.base64("me:" + TOKEN), key,
				KubeconfigFile.base64(this.client.key()).substring(60, 120));
	}

	private static String around(String text, String secret) {
		int at = text.indexOf(secret);
		return text.substring(Math.max(0, at - 300), Math.min(text.length(), at + secret.length()));
	}

	/** Many megabytes are captured, and not printed as well. */
	static final class Unprinted implements BeforeAllCallback, AfterAllCallback {

		private final PrintStream out = System.out;

		@Override
		public void beforeAll(ExtensionContext context) {
			System.setOut(new PrintStream(OutputStream.nullOutputStream()));
		}

		@Override
		public void afterAll(ExtensionContext context) {
			System.setOut(this.out);
		}

	}

}
