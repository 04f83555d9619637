package dev.reflector.guide;

import java.util.Map;

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
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The code of {@code docs/scaling.md}, with replicas that come and go.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ScalingTests {

	private static final int OBJECTS = 40;

	@Test
	void theTotalsOfTheReplicasAddUp() {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("apps/v1", "Deployment", "deployments", true)
			.type("coordination.k8s.io/v1", "Lease", "leases", true)
			.start()) {
			ResourceCollection deployments = server.resources("deployments");
			for (int i = 0; i < OBJECTS; i++) {
				deployments.create(Map.of("metadata", Map.of("name", "web-" + i), "spec", Map.of("replicas", 3)));
			}
			try (ConfigurableApplicationContext first = replica(server, "a")) {
				await().untilAsserted(() -> assertThat(total(first)).isEqualTo(3 * OBJECTS));
				try (ConfigurableApplicationContext second = replica(server, "b")) {
					await().untilAsserted(() -> {
						assertThat(total(first)).isPositive();
						assertThat(total(second)).isPositive();
						assertThat(total(first) + total(second)).isEqualTo(3 * OBJECTS);
					});
					deployments.mergePatch("default", "web-0", Map.of("spec", Map.of("replicas", 10)));
					deployments.delete("default", "web-1");
					await().untilAsserted(
							() -> assertThat(total(first) + total(second)).isEqualTo(3 * (OBJECTS - 2) + 10));
				}
				await().untilAsserted(() -> assertThat(total(first)).isEqualTo(3 * (OBJECTS - 2) + 10));
			}
		}
	}

	private static int total(ConfigurableApplicationContext replica) {
		return replica.getBean(WantedReplicas.class).total();
	}

	private static ConfigurableApplicationContext replica(EmbeddedApiServer server, String identity) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(UnrelatedAutoConfigurations.EXCLUDED)
			.run("--reflector.api-server.url=" + server.url(), "--spring.http.clients.reactive.connector=jdk",
					"--reflector.sharding.enabled=true", "--reflector.sharding.assignment=dynamic",
					"--reflector.sharding.leases.namespace=default", "--reflector.sharding.leases.group=shop",
					"--reflector.sharding.leases.identity=" + identity,
					"--reflector.sharding.leases.retry-period=100ms");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	@Import(WantedReplicas.class)
	static class Application {

	}

}
