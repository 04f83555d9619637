package dev.reflector.autoconfigure;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.Kubeconfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which credentials are used: those that are sent without TLS, and plugins, which
 * are programs. Requests are recorded and never sent.
 */
@ExtendWith(OutputCaptureExtension.class)
class ApiServerCredentialsTests {

	private static final String HTTP = "reflector.api-server.url=http://server.example:1";

	private static final String WARNING = "The token is sent to http://server.example:1 without encryption";

	@TempDir
	private Path folder;

	private final ApplicationContextRunner runner = ReflectorContextRunners.withTypesNextTo(Widget.class)
		.withUserConfiguration(BuiltApplication.Recorders.class)
		.withPropertyValues("reflector.resources.widgets.plural=widgets");

	@ParameterizedTest
	@ValueSource(strings = { "token", "token-file", "source" })
	void aTokenOfTheApplicationIsSentOverHttpWithAWarning(String kind, CapturedOutput output) throws IOException {
		Path file = Files.writeString(this.folder.resolve("token"), "s3cret");
		ApplicationContextRunner application = switch (kind) {
			case "token" -> this.runner.withPropertyValues(HTTP, "reflector.api-server.token=s3cret");
			case "token-file" -> this.runner.withPropertyValues(HTTP, "reflector.api-server.token-file=" + file);
			default -> this.runner.withUserConfiguration(Vault.class);
		};
		application.withPropertyValues("reflector.api-server.allow-token-over-http=true").run(this::sendsTheToken);
		assertThat(output).doesNotContain(WARNING);
		application.run(this::sendsTheToken);
		assertThat(output).containsOnlyOnce(WARNING)
			.contains("set 'reflector.api-server.allow-token-over-http' to true")
			.doesNotContain("s3cret");
		// at each start
		application.run(this::sendsTheToken);
		assertThat(output.getAll().split(WARNING, -1)).hasSize(3);
	}

	@Test
	void aTokenOfThePropertiesIsSentInPlaceOfThatOfAKubeconfig(CapturedOutput output) throws IOException {
		Path kubeconfig = kubeconfig("http://127.0.0.1:1", "token: other");
		this.runner
			.withPropertyValues("reflector.api-server.kubeconfig=" + kubeconfig, "reflector.api-server.token=s3cret")
			.run(this::sendsTheToken);
		assertThat(output).doesNotContain("WARN");
		this.runner.withPropertyValues("reflector.api-server.kubeconfig=" + kubeconfig)
			.run((context) -> assertThat(new BuiltApplication(context).header(HttpHeaders.AUTHORIZATION)).isNull());
		assertThat(output).containsOnlyOnce("Requests to http://127.0.0.1:1 carry no credentials");
	}

	private void sendsTheToken(AssertableApplicationContext context) {
		assertThat(new BuiltApplication(context).header(HttpHeaders.AUTHORIZATION)).containsExactly("Bearer s3cret");
	}

	@Test
	void aPluginIsNotRunWhenThatIsDenied() throws IOException {
		Path kubeconfig = kubeconfig("https://127.0.0.1:1", plugin());
		ApplicationContextRunner denying = this.runner.withPropertyValues("reflector.api-server.exec-plugins=deny");
		for (ApplicationContextRunner application : List.of(
				denying.withPropertyValues("reflector.api-server.kubeconfig=" + kubeconfig),
				denying.withPropertyValues("KUBECONFIG=" + kubeconfig),
				denying.withPropertyValues("test.kubeconfig=" + kubeconfig)
					.withUserConfiguration(OwnKubeconfig.class))) {
			application.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("The credential plugin '" + this.folder.resolve("./plugin")
						+ "' (exec of user 'u' in kubeconfig " + kubeconfig
						+ ") is not run, because 'reflector.api-server.exec-plugins' is 'deny'"));
		}
		// nor is it looked for
		Path missing = Files.writeString(this.folder.resolve("missing"),
				Files.readString(kubeconfig).replace("./plugin", "no-such-plugin"));
		denying.withPropertyValues("reflector.api-server.kubeconfig=" + missing)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("The credential plugin 'no-such-plugin'")
				.hasMessageContaining("'reflector.api-server.exec-plugins' is 'deny'"));
		denying.withPropertyValues("reflector.api-server.kubeconfig=" + missing, "reflector.api-server.token=s3cret")
			.run(this::sendsTheToken);
		// with another token there is no need to run it
		denying.withPropertyValues("reflector.api-server.kubeconfig=" + kubeconfig, "reflector.api-server.token=s3cret")
			.run(this::sendsTheToken);
		assertThat(this.folder.resolve("run")).doesNotExist();
		this.runner.withPropertyValues("reflector.api-server.kubeconfig=" + kubeconfig).run(this::sendsTheToken);
		assertThat(this.folder.resolve("run")).exists();
	}

	private String plugin() throws IOException {
		Path plugin = Files.writeString(this.folder.resolve("plugin"), """
				#!/bin/sh
				touch "$(dirname "$0")/run"
				echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",\
				"status":{"token":"s3cret"}}'
				""");
		Files.setPosixFilePermissions(plugin, PosixFilePermissions.fromString("rwx------"));
		return "exec: {command: ./plugin, apiVersion: client.authentication.k8s.io/v1}";
	}

	private Path kubeconfig(String server, String user) throws IOException {
		return Files.writeString(this.folder.resolve("config"), """
				current-context: c
				contexts: [{name: c, context: {cluster: c, user: u}}]
				clusters: [{name: c, cluster: {server: '%s'}}]
				users: [{name: u, user: {%s}}]
				""".formatted(server, user));
	}

	@Configuration(proxyBeanMethods = false)
	static class Vault {

		@Bean
		ReflectorConnectionDetails vault() {
			return () -> new ApiServer(URI.create("http://server.example:1"), null, () -> "s3cret", "the vault");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnKubeconfig {

		@Bean
		ReflectorConnectionDetails own(@Value("${test.kubeconfig}") Path kubeconfig) {
			return () -> Kubeconfig.load(kubeconfig, null);
		}

	}

}
