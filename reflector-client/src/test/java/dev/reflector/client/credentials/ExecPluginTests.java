package dev.reflector.client.credentials;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.reflector.cache.source.CredentialsException;
import dev.reflector.client.fixture.Certificates;
import dev.reflector.client.internal.pem.PemBundles;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ExecPlugin}, with real scripts.
 */
class ExecPluginTests {

	private static final String V1 = "client.authentication.k8s.io/v1";

	private static Certificates client;

	@TempDir
	private Path folder;

	@BeforeAll
	static void generateCertificates() throws Exception {
		client = Certificates.generate("client", "EC");
	}

	@Test
	void readsTokenAndExpiry() throws IOException {
		ExecCredential credential = plugin("cat <<'END'\n"
				+ answer("\"token\":\"s3cret\",\"expirationTimestamp\":" + "\"2030-01-31T12:00:00+01:00\"") + "\nEND")
			.run();
		assertThat(credential.token()).isEqualTo("s3cret");
		assertThat(credential.certificate()).isNull();
		assertThat(credential.expiry()).isEqualTo(Instant.parse("2030-01-31T11:00:00Z"));
		assertThat(credential.toString()).doesNotContain("s3cret");
	}

	@Test
	void readsCertificatesAndTheirExpiry() throws Exception {
		String certificate = JsonMapper.shared().writeValueAsString(client.certificate());
		String key = JsonMapper.shared().writeValueAsString(client.key());
		ExecCredential credential = plugin("cat <<'END'\n"
				+ answer("\"clientCertificateData\":" + certificate + ",\"clientKeyData\":" + key) + "\nEND")
			.run();
		assertThat(credential.token()).isNull();
		assertThat(credential.certificate()).contains("BEGIN CERTIFICATE");
		assertThat(credential.expiry()).isEqualTo(PemBundles.expiry(client.certificate()));
	}

	@Test
	void passesArgumentsEnvironmentAndExecInfo() throws IOException {
		Path seen = this.folder.resolve("seen");
		Path info = this.folder.resolve("info");
		Path script = script(
				"printf '%s,%s,%s' \"$1\" \"$2\" \"$GREETING\" > " + seen + "\nprintf '%s' \"$KUBERNETES_EXEC_INFO\" > "
						+ info + "\ncat\necho '" + answer("\"token\":\"t\"") + "'");
		new ExecPlugin("test", List.of(script.toString(), "a b", "$x"), Map.of("GREETING", "hello"),
				new ExecCredentialReader(V1, Map.of("server", "https://h", "config", Map.of("audience", "me"))), null)
			.run();
		assertThat(seen).hasContent("a b,$x,hello");
		JsonNode told = JsonMapper.shared().readTree(Files.readString(info));
		assertThat(told.path("apiVersion").asString()).isEqualTo(V1);
		assertThat(told.path("kind").asString()).isEqualTo("ExecCredential");
		assertThat(told.at("/spec/interactive").asBoolean(true)).isFalse();
		assertThat(told.at("/spec/cluster/server").asString()).isEqualTo("https://h");
		assertThat(told.at("/spec/cluster/config/audience").asString()).isEqualTo("me");
	}

	@Test
	void passesTheClusterToThePluginWhenTheKubeconfigAsksForIt() throws IOException {
		script("printf '%s' \"$KUBERNETES_EXEC_INFO\" > " + this.folder.resolve("info") + "\necho '"
				+ answer("\"token\":\"t\"") + "'");
		Path kubeconfig = Files.writeString(this.folder.resolve("config"), """
				current-context: c
				contexts: [{name: c, context: {cluster: c, user: u}}]
				clusters:
				- name: c
				  cluster:
				    server: https://h
				    tls-server-name: other
				    proxy-url: socks5://proxy
				    insecure-skip-tls-verify: true
				    extensions:
				    - name: client.authentication.k8s.io/exec
				      extension: {audience: me}
				users:
				- name: u
				  user:
				    exec:
				      apiVersion: client.authentication.k8s.io/v1
				      command: ./plugin
				      interactiveMode: IfAvailable
				      provideClusterInfo: true
				""");
		assertThat(Kubeconfig.load(kubeconfig, null).token().token()).isEqualTo("t");
		JsonNode cluster = JsonMapper.shared()
			.readTree(Files.readString(this.folder.resolve("info")))
			.at("/spec/cluster");
		assertThat(cluster.toString()).isEqualTo("{\"server\":\"https://h\",\"tls-server-name\":\"other\","
				+ "\"proxy-url\":\"socks5://proxy\",\"insecure-skip-tls-verify\":true,\"config\":{\"audience\":\"me\"}}");
	}

	@Test
	void aliasesOfAliasesAreBounded() throws IOException {
		StringBuilder levels = new StringBuilder("l0: &l0 [x, x]");
		for (int level = 1; level < 22; level++) {
			levels.append(", l%d: &l%1$d [*l%2$d, *l%2$d]".formatted(level, level - 1));
		}
		script("echo '" + answer("\"token\":\"t\"") + "'");
		Path kubeconfig = Files.writeString(this.folder.resolve("config"), """
				current-context: c
				contexts: [{name: c, context: {cluster: c, user: u}}]
				clusters:
				- name: c
				  cluster:
				    server: https://h
				    extensions:
				    - name: client.authentication.k8s.io/exec
				      extension: {%s}
				users:
				- name: u
				  user:
				    exec:
				      apiVersion: client.authentication.k8s.io/v1
				      command: ./plugin
				      interactiveMode: IfAvailable
				      provideClusterInfo: true
				""".formatted(levels));
		assertThatExceptionOfType(KubeconfigException.class)
			.isThrownBy(() -> Kubeconfig.load(kubeconfig, null).token().token())
			.withMessageContaining("has more than 100000 values, those of aliases included");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					echo s3cret; exit 3                                     | has ended with exit code 3
					true                                                    | has printed nothing
					echo s3cret                                             | has not printed JSON
					echo '["s3cret"]'                                       | has not printed JSON
					echo '{"kind":"s3cret"}'                                | whose 'kind' is not ExecCredential
					echo '{"kind":"ExecCredential","apiVersion":"s3cret"}'  | whose 'apiVersion' is not client.authentication.k8s.io/v1
					echo '{S}}'                                             | neither a token nor a client certificate
					echo '{S,"status":{"clientKeyData":"s3cret"}}'          | only one of 'clientCertificateData' and 'clientKeyData'
					echo '{S,"status":{"token":"s3cret","expirationTimestamp":"s3cret"}}' | not a time such as
					echo '{S,"status":{"clientCertificateData":"s3cret","clientKeyData":"s3cret"}}' | unusable 'clientCertificateData'
					head -c 2000000 /dev/zero                               | has printed more than 1048576 bytes
					""")
	void saysWhyAnAnswerIsOfNoUse(String script, String message) throws IOException {
		String start = "\"kind\":\"ExecCredential\",\"apiVersion\":\"" + V1 + "\"";
		ExecPlugin plugin = plugin(script.replace("{S}}", "{S}").replace("{S", "{" + start));
		assertThatExceptionOfType(CredentialsException.class).isThrownBy(plugin::run)
			.withMessageContaining(message)
			.withMessageContaining("credential plugin '" + this.folder.resolve("plugin") + "'")
			.withMessageContaining("exec of user 'me' in kubeconfig x")
			.withNoCause()
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("s3cret"));
	}

	@Test
	void endsAProgramThatDoesNotEnd() throws IOException {
		Path pid = this.folder.resolve("pid");
		Path script = script("echo $$ > " + pid + "\nsleep 600\n");
		ExecPlugin plugin = new ExecPlugin("x", List.of(script.toString()), Map.of(), protocol(), null,
				Duration.ofSeconds(2));
		// on a slow machine, the program may be ended before it has written its PID
		await().until(() -> {
			assertThatExceptionOfType(CredentialsException.class).isThrownBy(plugin::run)
				.withMessageContaining("has not ended within 2000 ms");
			return Files.exists(pid) && Files.size(pid) > 0;
		});
		ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
			.ifPresent((process) -> assertThat(process.onExit()).succeedsWithin(Duration.ofSeconds(20)));
	}

	@Test
	void saysHowToInstallAProgramThatHasGone() throws IOException {
		Path script = script("true");
		ExecPlugin plugin = new ExecPlugin("exec of user 'me'", List.of(script.toString(), "s3cret"), Map.of(),
				protocol(), "get it from the shop");
		plugin.requireExecutable();
		Files.delete(script);
		assertThatExceptionOfType(CredentialsException.class).isThrownBy(plugin::run)
			.withMessage("exec of user 'me' names the command '" + script
					+ "', which does not exist or is not executable; get it from the shop")
			.withNoCause();
	}

	private ExecPlugin plugin(String script) throws IOException {
		return new ExecPlugin("exec of user 'me' in kubeconfig x", List.of(script(script).toString(), "s3cret"),
				Map.of("SECRET", "s3cret"), protocol(), null);
	}

	private static ExecCredentialReader protocol() {
		return new ExecCredentialReader(V1, null);
	}

	private Path script(String content) throws IOException {
		Path script = Files.writeString(this.folder.resolve("plugin"), "#!/bin/sh\n" + content + "\n");
		return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
	}

	private static String answer(@Nullable String status) {
		return "{\"kind\":\"ExecCredential\",\"apiVersion\":\"" + V1 + "\",\"status\":{" + status + "}}";
	}

}
