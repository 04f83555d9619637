package dev.reflector.guide;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import dev.reflector.Reflector;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.Impersonation;
import dev.reflector.client.credentials.Kubeconfig;
import dev.reflector.fixture.UnrelatedAutoConfigurations;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The code of {@code docs/connecting.md}, at work. What it prints is tested with the
 * console sample.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectingTests {

	@Test
	void credentialsOfTheApplicationAreUsed() {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("apps/v1", "Deployment", "deployments", true)
			.requireToken("from-the-vault")
			.start();
				ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
					.web(WebApplicationType.NONE)
					.properties(UnrelatedAutoConfigurations.EXCLUDED)
					.initializers((application) -> ((GenericApplicationContext) application).registerBean(Vault.class,
							() -> new Vault(server.url(), "from-the-vault")))
					.run("--spring.reactor.netty.shutdown-quiet-period=0s")) {
			Reflector<?> reflector = context.getBean(Reflector.class);
			await().until(reflector::hasSynced);
			assertThat(reflector.status().counts().errors()).isZero();
		}
	}

	@Test
	void anotherUserIsActedAs(@TempDir Path folder) throws Exception {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("apps/v1", "Deployment", "deployments", true)
			.start()) {
			Path kubeconfig = folder.resolve("kubeconfig");
			Files.writeString(kubeconfig, server.kubeconfig());
			try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Audited.class)
				.web(WebApplicationType.NONE)
				.properties(UnrelatedAutoConfigurations.EXCLUDED)
				.run("--spring.reactor.netty.shutdown-quiet-period=0s", "--audit.kubeconfig=" + kubeconfig)) {
				await().until(context.getBean(Reflector.class)::hasSynced);
			}
			assertThat(server.requests(RecordedRequest::isWatch)).isNotEmpty()
				.allSatisfy((request) -> assertThat(request.header("Impersonate-User")).isEqualTo("auditor"));
		}
	}

	record Vault(URI server, String token) {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	static class Application {

		// the guide shows it so
		@Bean
		ReflectorConnectionDetails cluster(Vault vault) {
			return () -> new ApiServer(vault.server(), null, vault::token, "the vault");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	static class Audited {

		// the guide shows it so
		@Bean
		ReflectorConnectionDetails asAuditor(@Value("${audit.kubeconfig}") Path kubeconfig) {
			Impersonation auditor = new Impersonation("auditor", List.of("auditors"), null, Map.of());
			return () -> Kubeconfig.load(kubeconfig, null).withImpersonation(auditor);
		}

	}

}
