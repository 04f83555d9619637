package dev.reflector.guide;

import java.net.URI;

import dev.reflector.Reflector;
import dev.reflector.autoconfigure.ReflectorConnectionDetails;
import dev.reflector.client.ApiServer;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
					.initializers((application) -> ((GenericApplicationContext) application).registerBean(Vault.class,
							() -> new Vault(server.url(), "from-the-vault")))
					.run("--spring.reactor.netty.shutdown-quiet-period=0s")) {
			Reflector<?> reflector = context.getBean(Reflector.class);
			await().until(reflector::hasSynced);
			assertThat(reflector.status().counts().errors()).isZero();
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

}
