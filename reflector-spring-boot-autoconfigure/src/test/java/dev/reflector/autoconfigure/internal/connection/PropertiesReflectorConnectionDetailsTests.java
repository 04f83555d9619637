package dev.reflector.autoconfigure.internal.connection;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import dev.reflector.autoconfigure.ReflectorProperties;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.TokenSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link PropertiesReflectorConnectionDetails}.
 */
@ExtendWith(OutputCaptureExtension.class)
class PropertiesReflectorConnectionDetailsTests {

	private final MockEnvironment environment = new MockEnvironment();

	private final SslBundle sslBundle = SslBundle.systemDefault();

	@TempDir
	private Path folder;

	@BeforeEach
	void setHome() {
		this.environment.setProperty("user.home", this.folder.toString());
	}

	@Test
	void nothingConfiguredIsNoServer() {
		assertThat(detect()).isNull();
	}

	@Test
	void urlComesFirst() throws IOException {
		kubeconfig(".kube/config", "http://home");
		this.environment.setProperty("reflector.api-server.url", "http://property:8001/a%2Fb");
		this.environment.setProperty("reflector.api-server.kubeconfig", kubeconfig("named", "http://named"));
		this.environment.setProperty("reflector.api-server.token", " abc ");
		this.environment.setProperty("reflector.api-server.ssl-bundle", "cluster");
		ApiServer server = detect();
		assertThat(server).isNotNull();
		assertThat(server.url()).isEqualTo(URI.create("http://property:8001/a%2Fb"));
		assertThat(server.token().token()).isEqualTo("abc");
		assertThat(server.ssl().bundle()).isSameAs(this.sslBundle);
		assertThat(server.origin()).isEqualTo("'reflector.api-server.url'");
	}

	@Test
	void emptyUrlIsNoUrl() throws IOException {
		this.environment.setProperty("reflector.api-server.url", "");
		kubeconfig(".kube/config", "http://home");
		assertThat(url()).isEqualTo("http://home");
	}

	@Test
	void namedKubeconfigComesBeforeThatOfTheEnvironment() throws IOException {
		this.environment.setProperty("reflector.api-server.kubeconfig", kubeconfig("named", "http://named"));
		this.environment.setProperty("KUBECONFIG", kubeconfig("variable", "http://variable"));
		assertThat(url()).isEqualTo("http://named");
	}

	@Test
	void aNamedKubeconfigThatDoesNotExistIsSaidToBeTheMistakeOnce() {
		Path file = this.folder.resolve("nope");
		this.environment.setProperty("reflector.api-server.kubeconfig", file.toString());
		assertThatExceptionOfType(ReflectorConfigurationException.class).isThrownBy(this::detect)
			.withMessage("There is no kubeconfig " + file + ", which 'reflector.api-server.kubeconfig' names.")
			.satisfies((ex) -> assertThat(ex.action())
				.isEqualTo("Name an existing one, or name the API server itself with 'reflector.api-server.url'."));
	}

	@Test
	void tildeIsTheHomeFolder() throws IOException {
		kubeconfig("named", "http://named");
		this.environment.setProperty("reflector.api-server.kubeconfig", "~/named");
		assertThat(url()).isEqualTo("http://named");
	}

	@Test
	void firstExistingFileOfTheVariableIsTaken() throws IOException {
		kubeconfig(".kube/config", "http://home");
		this.environment.setProperty("KUBECONFIG", this.folder.resolve("missing") + File.pathSeparator
				+ kubeconfig("first", "http://first") + File.pathSeparator + kubeconfig("second", "http://second"));
		assertThat(url()).isEqualTo("http://first");
	}

	@Test
	void filesOfTheVariableAreMerged() throws IOException {
		Path contexts = Files.writeString(this.folder.resolve("contexts"), """
				current-context: mine
				contexts:
				- name: mine
				  context: {cluster: test, user: test}
				""");
		this.environment.setProperty("KUBECONFIG", contexts + File.pathSeparator + kubeconfig("first", "http://first")
				+ File.pathSeparator + File.pathSeparator + contexts);
		assertThat(url()).isEqualTo("http://first");
		assertThat(detect().origin())
			.isEqualTo("kubeconfig " + contexts + ", kubeconfig " + this.folder.resolve("first") + ", context mine");
	}

	@Test
	void variableThatNamesNoFileHidesTheHomeFolder() throws IOException {
		kubeconfig(".kube/config", "http://home");
		this.environment.setProperty("KUBECONFIG", this.folder.resolve("missing").toString());
		assertThat(detect()).isNull();
	}

	@Test
	void homeFolderComesBeforeServiceAccount() throws IOException {
		serviceAccount();
		kubeconfig(".kube/config", "http://home");
		assertThat(url()).isEqualTo("http://home");
	}

	@Test
	void serviceAccountComesLast() throws IOException {
		serviceAccount();
		assertThat(url()).isEqualTo("https://10.0.0.1:443");
		assertThat(detect().origin())
			.isEqualTo("service account in " + this.folder.resolve("account") + ", namespace default");
	}

	@Test
	void aContextBesideAServiceAccountIsWarnedOf(CapturedOutput output) throws IOException {
		serviceAccount();
		details().warnOfUnusedContext();
		this.environment.setProperty("reflector.api-server.context", "test");
		String home = kubeconfig(".kube/config", "http://home");
		details().warnOfUnusedContext();
		assertThat(output).doesNotContain("reflector.api-server.context");
		Files.delete(Path.of(home));
		assertThat(url()).isEqualTo("https://10.0.0.1:443");
		details().warnOfUnusedContext();
		assertThat(output).contains("'reflector.api-server.context' is 'test', but there is no kubeconfig, so the "
				+ "service account of the pod is used. Looked for the environment variable KUBECONFIG, which is not "
				+ "set; " + home + ", which does not exist");
	}

	@Test
	void saysWhereItLookedForAServer() throws IOException {
		String account = "; the token of a service account in " + this.folder.resolve("account")
				+ ", which is not there";
		assertThat(details().searched()).isEqualTo("Looked for the environment variable KUBECONFIG, which is not set; "
				+ this.folder.resolve(".kube/config") + ", which does not exist" + account);
		this.environment.setProperty("KUBECONFIG", "missing");
		this.environment.setProperty("KUBERNETES_SERVICE_HOST", "10.0.0.1");
		assertThat(details().searched()).isEqualTo(
				"Looked for the files that the environment variable KUBECONFIG names (missing), of which none exists"
						+ account + ". This looks like a pod (KUBERNETES_SERVICE_HOST is set) without a token: remove "
						+ "'automountServiceAccountToken: false' from the pod or its service account");
	}

	/** A tool that has deleted the only cluster leaves such a file. */
	@ParameterizedTest
	@ValueSource(strings = { "", "{apiVersion: v1, kind: Config, clusters: [], contexts: [], current-context: ''}",
			"{contexts: null, users: []}" })
	void aSearchedFileWithoutAContextIsNone(String content) throws IOException {
		Path home = Path.of(kubeconfig(".kube/config", "http://home"));
		Files.writeString(home, content);
		assertThat(detect()).isNull();
		assertThat(details().searched()).contains(home + ", which has no context; ");
		Path named = Files.writeString(this.folder.resolve("named"), content);
		this.environment.setProperty("KUBECONFIG", named.toString());
		assertThat(detect()).isNull();
		assertThat(details().searched()).contains(" names (" + named + "), of which none has a context; ");
		serviceAccount();
		assertThat(url()).isEqualTo("https://10.0.0.1:443");
		this.environment.setProperty("reflector.api-server.context", "mine");
		assertThatExceptionOfType(ReflectorConfigurationException.class).isThrownBy(this::detect)
			.withMessageContaining("has no context 'mine'");
	}

	@Test
	void aNamedFileWithoutAContextIsAMistake() throws IOException {
		Path named = Files.writeString(this.folder.resolve("named"), "");
		this.environment.setProperty("reflector.api-server.kubeconfig", named.toString());
		assertThatExceptionOfType(ReflectorConfigurationException.class).isThrownBy(this::detect)
			.withMessageContaining("names no current-context");
	}

	@Test
	void anotherContextThanThoseOfTheFileIsNamedByItsProperty() throws IOException {
		kubeconfig(".kube/config", "http://home");
		this.environment.setProperty("reflector.api-server.context", "gone");
		assertThatExceptionOfType(ReflectorConfigurationException.class).isThrownBy(this::detect)
			.satisfies((failure) -> assertThat(failure.action())
				.startsWith("Correct 'reflector.api-server.context', which is 'gone', or correct the file"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			https://api.example.com:6443 |                             | true
			https://api.example.com:6443 | other.example.com,10.0.0.1  | true
			https://api.example.com:6443 | .example.com                | false
			https://api.example.com:6443 | EXAMPLE.com                 | false
			https://api.example.com:6443 | api.example.com:6443        | false
			https://api.example.com:6443 | *                           | false
			https://10.0.0.1:443         | 10.0.0.0/8                  | false
			https://api.example.com      | 10.0.0.0/8                  | true
			https://127.0.0.1:6443       |                             | false
			https://localhost:6443       |                             | false
			http://api.example.com       |                             | false
			""")
	void aProxyThatIsNotUsedIsWarnedOf(String url, @Nullable String exceptions, boolean warned) {
		assertThat(UnusedProxy.of((name) -> null).isFor(URI.create(url))).isFalse();
		Map<String, String> variables = (exceptions != null)
				? Map.of("https_proxy", "http://proxy:3128", "NO_PROXY", exceptions)
				: Map.of("HTTPS_PROXY", "http://proxy:3128");
		assertThat(UnusedProxy.of(variables::get).isFor(URI.create(url))).isEqualTo(warned);
	}

	@Test
	void aServerWithoutTlsHasAProxyOfItsOwn(CapturedOutput output) {
		this.environment.setProperty("http_proxy", "http://proxy:3128");
		details().warnOfUnusedProxy(
				new ApiServer(URI.create("https://api.example.com"), null, TokenSource.none(), "a test"));
		assertThat(output).doesNotContain("PROXY");
		details()
			.warnOfUnusedProxy(new ApiServer(URI.create("http://api.example.com"), null, TokenSource.none(), "a test"));
		assertThat(output).contains("The environment variable HTTP_PROXY is set, but it is not used for "
				+ "http://api.example.com. To use a proxy, set 'proxy-url' in the kubeconfig or the system property "
				+ "'http.proxyHost'");
	}

	@Test
	void theWarningOfAProxyShowsNoPassword(CapturedOutput output) {
		this.environment.setProperty("HTTPS_PROXY", "http://me:s3cret@proxy:3128");
		ApiServer server = new ApiServer(URI.create("https://api.example.com"), null, TokenSource.none(), "a test");
		details().warnOfUnusedProxy(server);
		assertThat(output)
			.contains("The environment variable HTTPS_PROXY is set, but it is not used for "
					+ "https://api.example.com. To use a proxy, set 'proxy-url'")
			.doesNotContain("s3cret");
	}

	@Test
	void tokenFileReplacesTokenOfKubeconfig() throws IOException {
		kubeconfig(".kube/config", "http://home");
		Path token = Files.writeString(this.folder.resolve("token"), "one\n");
		this.environment.setProperty("reflector.api-server.token-file", token.toString());
		ApiServer server = detect();
		assertThat(server).isNotNull();
		assertThat(server.token().token()).isEqualTo("one");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{client-certificate: gone.pem, client-key: gone.pem}",
			"{exec: {command: no-such-plugin, apiVersion: client.authentication.k8s.io/v1}}" })
	void credentialsOfTheKubeconfigThatATokenReplacesAreNotRead(String user) throws IOException {
		Path file = Path.of(kubeconfig(".kube/config", "https://home"));
		Files.writeString(file, Files.readString(file).replace("user: {}", "user: " + user));
		assertThatExceptionOfType(ReflectorConfigurationException.class).isThrownBy(this::detect);
		this.environment.setProperty("reflector.api-server.token", "one");
		ApiServer server = detect();
		assertThat(server).isNotNull();
		assertThat(server.token().token()).isEqualTo("one");
		assertThat(server.ssl().bundle()).isNull();
	}

	private void serviceAccount() throws IOException {
		Path account = Files.createDirectory(this.folder.resolve("account"));
		Files.writeString(account.resolve("token"), "token");
		Files.writeString(account.resolve("namespace"), "default");
		this.environment.setProperty("KUBERNETES_SERVICE_HOST", "10.0.0.1");
		this.environment.setProperty("KUBERNETES_SERVICE_PORT", "443");
	}

	private String kubeconfig(String name, String server) throws IOException {
		Path file = this.folder.resolve(name);
		Files.createDirectories(file.getParent());
		Files.writeString(file, """
				apiVersion: v1
				kind: Config
				current-context: test
				contexts:
				- name: test
				  context:
				    cluster: test
				    user: test
				clusters:
				- name: test
				  cluster:
				    server: %s
				users:
				- name: test
				  user: {}
				""".formatted(server));
		return file.toString();
	}

	private String url() {
		ApiServer server = detect();
		assertThat(server).isNotNull();
		return server.url().toString();
	}

	private @Nullable ApiServer detect() {
		return details().getApiServer();
	}

	private PropertiesReflectorConnectionDetails details() {
		ReflectorProperties properties = Binder.get(this.environment)
			.bindOrCreate("reflector", ReflectorProperties.class);
		StaticListableBeanFactory beanFactory = new StaticListableBeanFactory();
		beanFactory.addBean("sslBundles", new DefaultSslBundleRegistry("cluster", this.sslBundle));
		ObjectProvider<SslBundles> sslBundles = beanFactory.getBeanProvider(SslBundles.class);
		return new PropertiesReflectorConnectionDetails(properties.apiServer(), this.environment, sslBundles,
				this.folder.resolve("account"));
	}

}
