package dev.reflector.client.credentials;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import dev.reflector.cache.source.CredentialsException;
import dev.reflector.client.fixture.Certificates;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.RawServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
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
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
			    namespace: team
			clusters:
			- name: local
			  cluster:
			    %s
			users:
			- name: me
			  user:
			    %s
			""";

	private static Certificates serverCertificate;

	private static Certificates rsa;

	private static Certificates ec;

	@TempDir
	private Path folder;

	@BeforeAll
	static void generateCertificates() throws Exception {
		serverCertificate = Certificates.generate("server", "EC");
		rsa = Certificates.generate("rsa", "RSA");
		ec = Certificates.generate("ec", "EC");
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
		assertThat(server.namespace()).isEqualTo("team");
		assertThat(server.withToken(TokenSource.none()).namespace()).isEqualTo("team");
		assertThat(server.ssl().bundle().getStores().getKeyStore()).isNotNull();
		assertThat(server.ssl().bundle().getStores().getTrustStore()).isNotNull();
		SslSource besideToken = server.withToken(TokenSource.of("other")).ssl();
		assertThat(besideToken.bundle().getStores().getKeyStore()).isNull();
		assertThat(besideToken.bundle().getStores().getTrustStore()).isNotNull();
		assertThat(besideToken)
			.hasToString("certificate-authority-data of cluster 'local', kubeconfig of the container");
		assertThatExceptionOfType(KubeconfigException.class)
			.isThrownBy(() -> Kubeconfig.parse("[", "the container", null))
			.withMessageStartingWith("kubeconfig of the container is not valid YAML at line 1");
	}

	@Test
	void readsUrlAndToken() throws IOException {
		ApiServer server = load("server: https://127.0.0.1:6443/prefix", "token: s3cret");
		assertThat(server.url()).isEqualTo(URI.create("https://127.0.0.1:6443/prefix"));
		assertThat(server.token().token()).isEqualTo("s3cret");
		assertThat(server.ssl().bundle()).isNull();
		assertThat(server.origin()).isEqualTo("kubeconfig " + this.folder.resolve("config") + ", context dev");
		assertThat(server.toString()).doesNotContain("s3cret");
	}

	@Test
	void readsTokenFilesRelativeToItsFolder() throws IOException {
		Files.writeString(this.folder.resolve("token.txt"), "s3cret\n");
		ApiServer server = load("server: https://127.0.0.1", "{tokenFile: token.txt, token: other}");
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
	void connectsWithoutVerificationWhenConfigured(CapturedOutput output) throws Exception {
		connects("insecure-skip-tls-verify: true", "{client-certificate-data: " + base64(ec.certificate())
				+ ", client-key-data: " + base64(ec.key()) + "}", ec);
		assertThat(output).contains("insecure-skip-tls-verify");
	}

	@Test
	void refusesAnAuthorityThatWouldNotBeUsed() throws Exception {
		String insecure = "server: https://h\n    insecure-skip-tls-verify: true\n    ";
		fails(insecure + "certificate-authority-data: " + base64(rsa.certificate()), "{}",
				"both insecure-skip-tls-verify and certificate-authority-data", "cluster 'local'");
		fails(insecure + "certificate-authority: gone.crt", "{}", "both insecure-skip-tls-verify and", "gone.crt");
	}

	@Test
	void insecureIsNotSaidOfASourceThatIsReplaced(CapturedOutput output) throws Exception {
		ApiServer insecure = load("server: https://h\n    insecure-skip-tls-verify: true", "{}");
		Clients.client(insecure.withSsl(SslSource.of(null)), Clients.OPTIONS).disconnect();
		assertThat(output).doesNotContain("WARN");
		Clients.client(insecure, Clients.OPTIONS).disconnect();
		assertThat(output).containsOnlyOnce("is not verified");
	}

	@ParameterizedTest
	@ValueSource(strings = { "token: s3cret", "tokenFile: token", "{token: '', tokenFile: token}",
			"exec: {command: ./plugin, apiVersion: client.authentication.k8s.io/v1}",
			"exec: {command: ./gone, apiVersion: client.authentication.k8s.io/v1}" })
	void sendsNoTokenAndRunsNoPluginWithoutTls(String user, CapturedOutput output) throws IOException {
		Files.writeString(this.folder.resolve("token"), "s3cret");
		Path run = this.folder.resolve("run");
		Path plugin = Files.writeString(this.folder.resolve("plugin"), "#!/bin/sh\ntouch " + run + "\n");
		Files.setPosixFilePermissions(plugin, PosixFilePermissions.fromString("rwx------"));
		try (RawServer server = RawServer.answering("{\"items\":[]}")) {
			ApiServer apiServer = load("server: " + server.uri(), user);
			for (int i = 0; i < 2; i++) {
				Clients.widgets(Clients.client(apiServer, Clients.OPTIONS))
					.list(Clients.list())
					.block(Duration.ofSeconds(20));
			}
			assertThat(server.requests()).hasSize(2)
				.noneMatch((request) -> request.headers().containsKey("authorization"));
		}
		assertThat(run).doesNotExist();
		assertThat(output.getAll().lines().filter((line) -> line.contains("WARN"))).singleElement()
			.asString()
			.contains("of user 'me' in kubeconfig " + this.folder.resolve("config"), "carry no credentials",
					"Use https in the kubeconfig's field 'server'")
			.doesNotContain("s3cret");
	}

	@Test
	void withoutCredentialsNothingIsSaidOfTls(CapturedOutput output) throws IOException {
		assertThat(load("server: http://127.0.0.1:8001", "{as: jane}").token().token()).isNull();
		assertThat(output).doesNotContain("WARN");
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
	void sslBundleHoldsOnlyTheConfiguredParts() throws Exception {
		SslBundle bundle = load("server: https://h\n    certificate-authority-data: " + base64(rsa.certificate()), "{}")
			.ssl()
			.bundle();
		assertThat(bundle.getStores().getKeyStore()).isNull();
		assertThat(bundle.getStores().getTrustStore().size()).isOne();
	}

	@ParameterizedTest
	@ValueSource(strings = { "auth-provider: {name: gcp, config: {token: s3cret}}", "username: s3cret",
			"as-uid: s3cret", "as-groups: [s3cret]", "as-user-extra: {reason: [s3cret]}", "as-groups: s3cret" })
	void refusesUsersItDoesNotSupport(String user) {
		fails("server: https://h", user, user.substring(0, user.indexOf(':')), "user 'me'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "proxy-url: ftp://me:s3cret@p", "proxy-url: s3cret", "proxy-url: 'http://'",
			"proxy-url: 'http://s3cret^'" })
	void refusesInvalidProxies(String cluster) {
		fails("server: https://h\n    " + cluster, "{}", "proxy-url", "socks5", "cluster 'local'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "s3cret::1", "s3cret name", "https://s3cret" })
	void refusesInvalidServerNames(String name) {
		fails("server: https://h\n    tls-server-name: '" + name + "'", "{}", "tls-server-name", "cluster 'local'");
	}

	@Test
	void readsHowToConnect() throws IOException {
		assertThat(load("server: https://h", "{}").route()).isEqualTo(Route.DIRECT);
		Route route = load("{server: 'https://h', proxy-url: 'http://me:s3cret@proxy', tls-server-name: other}", "{}")
			.route();
		assertThat(route.proxy()).isEqualTo(URI.create("http://me:s3cret@proxy:80"));
		assertThat(route.serverName()).isEqualTo("other");
		assertThat(route).hasToString("through http://proxy:80 as other");
		assertThat(load("{server: 'https://h', proxy-url: 'socks5://proxy'}", "{}").route().proxy())
			.isEqualTo(URI.create("socks5://proxy:1080"));
		assertThat(load("{server: 'https://h', proxy-url: 'https://proxy:1'}", "{}").route().proxy())
			.isEqualTo(URI.create("https://proxy:1"));
	}

	@Test
	void readsWhomToImpersonate() throws IOException {
		assertThat(load("server: https://h", "{}").impersonation()).isEqualTo(Impersonation.NONE);
		assertThat(load("server: https://h",
				"{as: jane, as-groups: [dev, ops], as-uid: u-1, as-user-extra: {scopes: [a, b], 2026: [x], on: [y]}}")
			.impersonation())
			.isEqualTo(new Impersonation("jane", List.of("dev", "ops"), "u-1",
					Map.of("scopes", List.of("a", "b"), "2026", List.of("x"), "on", List.of("y"))));
		fails("server: https://h", "{as: \"jane\\r\\nAuthorization: s3cret\"}", "line break", "user 'me'");
		fails("server: https://h", "{as: s3cret-jürgen}", "not printable ASCII", "user 'me'");
		fails("server: https://h", "{as: jane, as-groups: [s3cret-Köln]}", "not printable ASCII", "user 'me'");
	}

	@Test
	void sendsWhomToImpersonate() throws IOException {
		try (RawServer server = RawServer.answering("{\"items\":[]}")) {
			ApiServer apiServer = load("server: " + server.uri(),
					"{as: jane, as-groups: [dev], as-uid: u-1, as-user-extra: {example.com/a b: [x]}}");
			Clients.widgets(Clients.client(apiServer, Clients.OPTIONS))
				.list(Clients.list())
				.block(Duration.ofSeconds(20));
			assertThat(server.requests().get(0).headers()).containsEntry("impersonate-user", "jane")
				.containsEntry("impersonate-group", "dev")
				.containsEntry("impersonate-uid", "u-1")
				.containsEntry("impersonate-extra-example.com%2fa%20b", "x");
		}
	}

	@Test
	void mergesSeveralFilesLikeKubectl() throws IOException {
		Path one = Files.createDirectory(this.folder.resolve("one")).resolve("config");
		Path two = Files.createDirectory(this.folder.resolve("two")).resolve("config");
		Path empty = Files.createFile(this.folder.resolve("empty"));
		Files.writeString(one, """
				current-context: ''
				clusters: [{name: c, cluster: {server: 'https://first'}}]
				contexts: [{name: x, context: {cluster: c}}]
				""");
		Files.writeString(two, """
				current-context: dev
				clusters: [{name: c, cluster: {server: 'https://second'}}]
				contexts: [{name: dev, context: {cluster: c, user: u}}]
				users: [{name: u, user: {tokenFile: token}}]
				""");
		Files.writeString(two.resolveSibling("token"), "two");
		ApiServer server = Kubeconfig.load(List.of(this.folder.resolve("missing"), empty, one, two), null);
		assertThat(server.url()).isEqualTo(URI.create("https://first"));
		assertThat(server.token().token()).isEqualTo("two");
		assertThat(server.origin())
			.isEqualTo("kubeconfig " + empty + ", kubeconfig " + one + ", kubeconfig " + two + ", context dev");
		assertThat(Kubeconfig.load(List.of(two, one), null).url()).isEqualTo(URI.create("https://second"));
		assertThatExceptionOfType(KubeconfigException.class)
			.isThrownBy(() -> Kubeconfig.load(List.of(one, two), "gone"))
			.withMessageContaining("its contexts are: [x, dev]");
	}

	@ParameterizedTest
	@ValueSource(strings = { "RSA PKCS#1", "RSA PKCS#8", "EC SEC1", "EC PKCS#8" })
	void connectsWithKeysOfEveryForm(String form) throws Exception {
		Certificates client = form.startsWith("RSA") ? rsa : ec;
		String key = switch (form) {
			case "RSA PKCS#1" -> client.pkcs1Key();
			case "EC SEC1" ->
				"-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n" + client.sec1Key();
			default -> client.key();
		};
		connects("certificate-authority-data: " + base64(serverCertificate.certificate()),
				"{client-certificate-data: " + base64(client.certificate()) + ", client-key-data: " + base64(key) + "}",
				client);
	}

	@Test
	void refusesCertificatesThatHaveExpired() throws Exception {
		Certificates old = Certificates.expired("old", "EC");
		fails("server: https://h", "{client-certificate-data: " + base64(old.certificate()) + ", client-key-data: "
				+ base64(old.key()) + "}", "client-certificate that has expired at", "user 'me'");
	}

	@Test
	void readsNoCredentialsOnRequest() throws Exception {
		Certificates old = Certificates.expired("old", "EC");
		String authority = base64(serverCertificate.certificate());
		Path file = write("{server: \"https://h\", certificate-authority-data: " + authority + "}",
				"{client-certificate-data: " + base64(old.certificate()) + ", client-key-data: " + base64(old.key())
						+ ", token: s3cret, as: jane}");
		ApiServer server = Kubeconfig.loadWithoutCredentials(List.of(file), null);
		assertThat(server.token().token()).isNull();
		assertThat(server.impersonation().user()).isEqualTo("jane");
		assertThat(server.ssl().bundle().getStores().getKeyStore()).isNull();
		assertThat(server.ssl().bundle().getStores().getTrustStore()).isNotNull();
		assertThat(server.withToken(TokenSource.of("other")).ssl().bundle().getStores().getTrustStore()).isNotNull();
	}

	@Test
	void refusesCertificatesThatAreNotValidYet() throws Exception {
		Certificates early = Certificates.notYetValid("early", "EC");
		fails("server: https://h", "{client-certificate-data: " + base64(early.certificate()) + ", client-key-data: "
				+ base64(early.key()) + "}", "client-certificate that is not valid before", "clock", "user 'me'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "2024-01-31", "12:30:45", "716064e0", "0x1F", "1_000", "yes", "1e3", "007" })
	void scalarsAreReadAsTheyAreWritten(String text) throws IOException {
		assertThat(load("server: https://h", "token: " + text).token().token()).isEqualTo(text);
		Path file = this.folder.resolve("config");
		Files.writeString(file,
				TEMPLATE.formatted("server: https://h", "{}")
					.replace("current-context: dev", "current-context: " + text)
					.replace("name: dev", "name: " + text));
		assertThat(Kubeconfig.load(file, null).origin()).endsWith("context " + text);
		assertThat(Kubeconfig.load(file, text).origin()).endsWith("context " + text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "True", "yes", "on", "y" })
	void aFlagIsReadAsKubectlReadsIt(String text) throws IOException {
		assertThat(load("{server: 'https://h', insecure-skip-tls-verify: " + text + "}", "{}").ssl().bundle())
			.isNotNull();
	}

	@Test
	void theFirstDocumentAndTheLastOfEqualKeysCount(CapturedOutput output) throws IOException {
		Path file = this.folder.resolve("config");
		String first = TEMPLATE.formatted("server: https://gone\n    server: https://h", "{}");
		Files.writeString(file, "---\n" + first + "---\n");
		assertThat(Kubeconfig.load(file, null).url()).isEqualTo(URI.create("https://h"));
		Files.writeString(file, first + "---\n" + first.replace("https://h", "https://other"));
		assertThat(Kubeconfig.load(file, null).url()).isEqualTo(URI.create("https://h"));
		assertThat(output.getAll()).isEmpty();
	}

	@Test
	void limitsAreNamed() throws IOException {
		String deep = "[".repeat(29) + "s3cret" + "]".repeat(29);
		String aliases = "- *me\n".repeat(1000);
		String valid = TEMPLATE.formatted("server: https://h", "{}");
		String anchor = "a: &me [s3cret]\nb: &text s3cret\nc:\n";
		Path file = Files.writeString(this.folder.resolve("config"),
				"deep: " + deep + "\n" + anchor + aliases + "- *text\n" + valid);
		assertThat(Kubeconfig.load(file, null).url()).isEqualTo(URI.create("https://h"));

		Map<String, String> limits = Map.of("a:\n  deep: [" + deep + "]\n",
				" is nested more than 30 levels deep at line 2; make it flatter", anchor + aliases + "- *me\n",
				" has more than 1000 aliases of mappings and lists at line 1004; write some of them out");
		limits.forEach((text, message) -> assertThatExceptionOfType(KubeconfigException.class)
			.isThrownBy(() -> Kubeconfig.parse(text + valid, "the container", null))
			.withMessage("kubeconfig of the container" + message));
		assertThatExceptionOfType(KubeconfigException.class)
			.isThrownBy(() -> Kubeconfig.parse("#".repeat(3 * 1024 * 1024 + 1), "the container", null))
			.withMessage("kubeconfig of the container is longer than 3145728 characters; split it into several files");
		Files.writeString(file, "#".repeat(3 * 1024 * 1024 + 1));
		assertThatExceptionOfType(KubeconfigException.class).isThrownBy(() -> Kubeconfig.load(file, null))
			.withMessageEndingWith("is larger than 3145728 bytes; name a file that this process can read");
	}

	@Test
	void manyContextsMayShareAUser() throws IOException {
		StringBuilder users = new StringBuilder("first\n  user: &me {token: shared}\n");
		for (int i = 0; i < 100; i++) {
			users.append("- name: u" + i + "\n  user: *me\n");
		}
		Path file = this.folder.resolve("config");
		Files.writeString(file,
				TEMPLATE.formatted("server: https://h", "{}")
					.replace("user: me\n    namespace", "user: u99\n    namespace")
					.replace("users:\n- name: me\n  user:\n    {}", "users:\n- name: " + users));
		assertThat(Kubeconfig.load(file, null).token().token()).isEqualTo("shared");
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://k3s_server:6443", "https://my_host.example.com", "https://bücher.example",
			"https://h.1a" })
	void aHostNameThatJavaDoesNotTakeIsNamedAsTheCause(String server) {
		String[] cause = { "host name that Java does not accept", "letters, digits and hyphens" };
		fails("server: " + server, "{}", cause);
		fails("server: https://h\n    proxy-url: " + server, "{}", cause);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new ApiServer(URI.create(server), null, TokenSource.none(), "origin"))
			.withMessageContainingAll(cause);
	}

	@Test
	void aServerNameThatJavaDoesNotTakeIsNamedAsTheCause() {
		fails("server: https://h\n    tls-server-name: my_host", "{}", "'tls-server-name'", "not one that Java accepts",
				"letters, digits and hyphens");
	}

	@Test
	void whatIsRefusedSaysWhatToDo() {
		fails("server: https://h", "auth-provider: {name: oidc, config: {id-token: s3cret}}", "which is not supported",
				"the 'id-token' of the auth-provider oidc can be the 'token'");
		fails("server: https://h", "{username: me, password: s3cret}",
				"API servers have taken no passwords since Kubernetes 1.19");
	}

	@Test
	void refusesPluginsThatCannotBeRun() {
		String version = "apiVersion: client.authentication.k8s.io/v1";
		fails("server: https://h",
				"{exec: {command: x, args: [s3cret], apiVersion: client.authentication.k8s.io/v1alpha1}}",
				"'apiVersion'", "client.authentication.k8s.io/v1beta1", "exec of user 'me'");
		fails("server: https://h", "{exec: {command: x, args: [s3cret]}}", "has no 'apiVersion'");
		fails("server: https://h", "{exec: {" + version + ", args: [s3cret]}}", "has no 'command'");
		fails("server: https://h", "{exec: {" + version + ", command: sh, interactiveMode: Always}}",
				"'interactiveMode' Always", "Never");
		fails("server: https://h", "{exec: {" + version + ", command: no-such-plugin, args: [s3cret]}}",
				"the command 'no-such-plugin'", "does not exist or is not executable", "install it");
		fails("server: https://h",
				"{exec: {" + version + ", command: ./no-such-plugin, installHint: get it from the shop}}",
				this.folder.resolve("./no-such-plugin").toString(), "get it from the shop");
	}

	@Test
	void runsNoPluginThatIsNotAllowed() throws IOException {
		Path run = this.folder.resolve("run");
		Path plugin = Files.writeString(this.folder.resolve("plugin"), "#!/bin/sh\ntouch " + run + "\n");
		Files.setPosixFilePermissions(plugin, PosixFilePermissions.fromString("rwx------"));
		Path file = write("server: https://h",
				"exec: {command: ./plugin, apiVersion: client.authentication.k8s.io/v1}");
		TokenSource token = Kubeconfig.load(List.of(file), null, false).token();
		assertThatExceptionOfType(CredentialsException.class).isThrownBy(token::token)
			.withMessage("the " + token.program() + " is not run, because the application does not allow it; "
					+ "configure another credential");
		assertThat(run).doesNotExist();
		assertThat(token.program()).isEqualTo("credential plugin '" + this.folder.resolve("./plugin")
				+ "' (exec of user 'me' in kubeconfig " + file + ")");
		assertThat(Kubeconfig.load(file, null).token().program()).isEqualTo(token.program());
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
	void namesTheMissingParts() throws IOException {
		Path file = write("server: https://h", "{}");
		failure(file, "gone", "context 'gone'", "[other, dev]");
		failure(file, "other", "cluster 'gone'", "[local]");
		Files.writeString(file, "{contexts: [{name: c, context: {cluster: c, user: u}}], clusters: "
				+ "[{name: c, cluster: {server: 'https://h'}}]}");
		failure(file, null, "names no current-context; name a context, or run 'kubectl config use-context NAME'");
		failure(file, "c", "user 'u'", "[]");
		failure(this.folder.resolve("none"), null, "no kubeconfig", "; name a file that exists");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "text", "[1]", "a: [", "a: 1\na: 2", "a: !!java.net.URL ['http://s3cret']",
			"token: s3cret: x", "users: text" })
	void refusesTextThatIsNoKubeconfig(String text) throws IOException {
		Path file = this.folder.resolve("config");
		Files.writeString(file, text);
		failure(file, null, file.toString());
	}

	@Test
	@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the file system of Windows has neither named pipes nor devices")
	void pipesAndDevicesAreNoKubeconfigsButTheEmptyDeviceIs() throws Exception {
		Path pipe = this.folder.resolve("pipe");
		assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
		failure(pipe, null, "is a folder, a pipe or a device");
		failure(this.folder, null, "is a folder, a pipe or a device");
		Path empty = Path.of("/dev/null");
		assertThat(Kubeconfig.load(List.of(empty, write("server: https://h", "{}")), null).url())
			.isEqualTo(URI.create("https://h"));
		failure(empty, null, "names no current-context");
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
