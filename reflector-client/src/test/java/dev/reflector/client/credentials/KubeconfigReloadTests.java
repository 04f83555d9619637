package dev.reflector.client.credentials;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

import dev.reflector.client.fixture.Certificates;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of changes to a kubeconfig that is in use: what would make connections less safe,
 * or would look as if it had an effect, needs a restart.
 */
@ExtendWith(OutputCaptureExtension.class)
class KubeconfigReloadTests {

	private static final String SERVER = "server: https://h:6443";

	private static final String INSECURE = ", insecure-skip-tls-verify: true";

	private static String authority;

	private static String own;

	@TempDir
	private Path folder;

	@BeforeAll
	static void generateCertificates() throws Exception {
		authority = ", certificate-authority-data: " + base64(Certificates.generate("ca", "EC").certificate());
		Certificates client = Certificates.generate("me", "EC");
		own = ", client-certificate-data: " + base64(client.certificate()) + ", client-key-data: "
				+ base64(client.key());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			server: https://h:6443, insecure-skip-tls-verify: true | turns verification off
			server: https://h:6443, insecure-skip-tls-verify: true, tls-server-name: other | turns verification off
			server: http://h:6443                                  | now names another server than https://h:6443
			server: https://other:6443, insecure-skip-tls-verify: true | now names another server than https://h:6443
			server: https://h:6443                                 | no longer has a certificate-authority
			server: https://h:6443, tls-server-name: other         | another tls-server-name or proxy-url
			server: https://h:6443, proxy-url: http://me:pw@h2:1   | another tls-server-name or proxy-url
			""")
	void changesOfTheConnectionNeedARestart(String cluster, String what, CapturedOutput output) throws IOException {
		write(SERVER + authority, "token: one");
		ApiServer server = Kubeconfig.load(this.folder.resolve("config"), null);
		SslBundle bundle = server.ssl().bundle();
		assertThat(server.token().token()).isEqualTo("one");
		write(cluster, "token: two");
		keeps(server, bundle);
		assertThat(output.getAll().lines().filter((line) -> line.contains("WARN"))).singleElement()
			.asString()
			.contains("cannot be used now. The content read before stays in use", "cluster 'c' in kubeconfig", what,
					"restart the application to use it")
			.doesNotContain(":pw@");
		write(SERVER + authority, "token: three");
		assertThat(server.token().token()).isEqualTo("three");
		assertThat(server.ssl().bundle()).isSameAs(bundle);
	}

	/**
	 * This also holds if the authorities of the JVM were trusted, so that there is no
	 * bundle.
	 */
	@Test
	void verificationWithTheAuthoritiesOfTheJvmStaysToo(CapturedOutput output) throws IOException {
		write(SERVER, "token: one");
		ApiServer server = Kubeconfig.load(this.folder.resolve("config"), null);
		assertThat(server.ssl().bundle()).isNull();
		write(SERVER + INSECURE, "token: one");
		assertThat(server.ssl().renew(null)).isFalse();
		assertThat(server.ssl().bundle()).isNull();
		assertThat(output).contains("turns verification off; restart the application to use it");
	}

	@Test
	void anAuthorityThatWouldNotBeUsedIsRefusedLaterToo(CapturedOutput output) throws IOException {
		write(SERVER + authority, "token: one");
		ApiServer server = Kubeconfig.load(this.folder.resolve("config"), null);
		SslBundle bundle = server.ssl().bundle();
		write(SERVER + authority + INSECURE, "token: two");
		keeps(server, bundle);
		assertThat(output).contains("has both insecure-skip-tls-verify and certificate-authority-data");
	}

	@Test
	void verificationThatIsSwitchedOnStaysOn(CapturedOutput output) throws IOException {
		write(SERVER + INSECURE, "token: one");
		ApiServer server = Kubeconfig.load(this.folder.resolve("config"), null);
		SslBundle everyone = server.ssl().bundle();
		assertThat(output).containsOnlyOnce("is not verified");
		write(SERVER + authority, "token: one");
		SslBundle verified = server.ssl().bundle();
		assertThat(verified).isNotNull().isNotSameAs(everyone);
		write(SERVER + INSECURE, "token: two");
		assertThat(server.token().token()).isEqualTo("one");
		keeps(server, verified);
	}

	@Test
	void aClientCertificateDoesNotVanish(CapturedOutput output) throws IOException {
		write(SERVER + authority, "as: jane" + own);
		ApiServer server = Kubeconfig.load(this.folder.resolve("config"), null);
		SslBundle bundle = server.ssl().bundle();
		assertThat(bundle.getStores().getKeyStore()).isNotNull();
		write(SERVER + authority, "as: jane");
		assertThat(server.ssl().bundle()).isSameAs(bundle);
		assertThat(output).contains("user 'u' in kubeconfig").contains("no longer has a client-certificate");
	}

	/** They are made on threads of the network, which may not wait for a file. */
	@Test
	void messagesReadNoFiles(CapturedOutput output) throws IOException {
		write(SERVER + authority, "token: one" + own);
		ApiServer server = Kubeconfig.load(this.folder.resolve("config"), null);
		Files.writeString(this.folder.resolve("config"), "broken: [");
		assertThat(server.ssl().toString()).startsWith("certificate-authority-data of cluster 'c'")
			.contains("client-certificate-data of user 'u'");
		assertThat(server.token().toString()).startsWith("token of kubeconfig").endsWith("context c");
		assertThat(output).doesNotContain("cannot be used now");
		assertThat(server.token().token()).isEqualTo("one");
		assertThat(output).contains("cannot be used now");
	}

	@Test
	void aFileThatDisappearsDoesNotKeepOthersFromBeingRead(CapturedOutput output) throws IOException {
		write(SERVER, "token: one");
		Path config = this.folder.resolve("config");
		Path other = Files.writeString(this.folder.resolve("other"), "");
		ApiServer server = Kubeconfig.load(List.of(other, config), null);
		Files.delete(other);
		assertThat(server.token().token()).isEqualTo("one");
		write(SERVER, "token: second");
		assertThat(server.token().token()).isEqualTo("second");
		Files.writeString(other, "users: [{name: u, user: {token: of-the-other-file}}]");
		assertThat(server.token().token()).isEqualTo("of-the-other-file");
		assertThat(output).doesNotContain("WARN");
		Files.delete(other);
		Files.delete(config);
		assertThat(server.token().token()).isEqualTo("of-the-other-file");
		assertThat(output).contains("there is no kubeconfig " + other);
	}

	private static void keeps(ApiServer server, SslBundle bundle) {
		assertThat(server.token().token()).isEqualTo("one");
		assertThat(server.ssl().bundle()).isSameAs(bundle);
		assertThat(server.ssl().renew(bundle)).isFalse();
		assertThat(server.url()).hasToString("https://h:6443");
	}

	private void write(String cluster, String user) throws IOException {
		Files.writeString(this.folder.resolve("config"), """
				current-context: c
				contexts: [{name: c, context: {cluster: c, user: u}}]
				clusters: [{name: c, cluster: {%s}}]
				users: [{name: u, user: {%s}}]
				""".formatted(cluster.replace(": http", ": 'http").replaceAll("('http[^,]*)", "$1'"), user));
	}

	private static String base64(String text) {
		return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

}
