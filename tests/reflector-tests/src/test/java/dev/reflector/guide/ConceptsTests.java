package dev.reflector.guide;

import java.util.List;
import java.util.Map;

import dev.reflector.Lister;
import dev.reflector.cache.config.IndexFunction;
import dev.reflector.fixture.UnrelatedAutoConfigurations;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.ParameterizedTypeReference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The code of {@code docs/concepts.md} and {@code docs/reading.md}, and the first
 * listener of {@code docs/events.md}, at work.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConceptsTests {

	@Test
	void theCodeOfTheGuideWorks() {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("apps/v1", "Deployment", "deployments", true)
			.start()) {
			ResourceCollection deployments = server.resources("deployments");
			deployments.create(Map.of("metadata", Map.of("name", "web"), "spec", Map.of("replicas", 3)));
			try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
				.web(WebApplicationType.NONE)
				.properties(UnrelatedAutoConfigurations.EXCLUDED)
				.run("--reflector.api-server.url=" + server.url(),
						"--spring.reactor.netty.shutdown-quiet-period=100ms")) {
				Rollouts rollouts = context.getBean(Rollouts.class);
				Lister<Deployment> lister = context
					.getBeanProvider(new ParameterizedTypeReference<Lister<Deployment>>() {
					})
					.getObject();
				RolloutListener listener = context.getBean(RolloutListener.class);
				assertThat(rollouts.complete("default", "web")).isFalse();
				// the mirror is complete a moment before its version counts as seen
				await().untilAsserted(() -> assertThat(rollouts.version()).isEqualTo(deployments.resourceVersion()));
				deployments.mergePatch("default", "web", Map.of("status", Map.of("readyReplicas", 3)));
				await().until(() -> rollouts.complete("default", "web"));
				deployments.mergePatch("default", "web", Map.of("spec", Map.of("replicas", 20)));
				await().untilAsserted(() -> assertThat(listener.heard).containsExactly("deployments synced",
						"default/web scaled to 20"));
				assertThat(lister.byIndex("size", "large")).hasSize(1);
				assertThat(lister.byIndex("size", "small")).isEmpty();
			}
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	@Import({ Rollouts.class, RolloutListener.class })
	static class Application {

		// the guide shows it so
		@Bean
		IndexFunction<Deployment> size() {
			return (deployment) -> List.of((deployment.spec().replicas() > 10) ? "large" : "small");
		}

	}

}
