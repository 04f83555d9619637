package dev.reflector.autoconfigure;

import java.util.List;
import java.util.Map;

import dev.reflector.ObjectMeta;
import dev.reflector.Reflector;
import dev.reflector.autoconfigure.fixture.InMemoryListerWatcher;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.cache.source.ListerWatcher;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.context.annotation.Bean;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of a whole application through its actuator.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "spring.reactor.netty.shutdown-quiet-period=100ms",
				// Reactor Netty may stop reading a connection that is used again (its
				// issue 4361)
				"server.netty.max-keep-alive-requests=1", "management.endpoints.web.exposure.include=*",
				"management.endpoint.reflectors.access=unrestricted", "management.endpoint.health.show-details=always",
				"management.info.reflectors.enabled=true",
				"management.endpoint.health.group.readiness.include=readinessState,reflectors", "KUBECONFIG=",
				"user.home=/nonexistent", "KUBERNETES_SERVICE_HOST=" })
@AutoConfigureWebTestClient(timeout = "60s")
@DirtiesContext
class ReflectorApplicationIntegrationTests {

	@Autowired
	private WebTestClient client;

	@Autowired
	private Reflector<Widget> reflector;

	/** A reflector has synced shortly before its status has the version. */
	@BeforeEach
	void awaitVersion() {
		await().until(() -> this.reflector.lastSyncResourceVersion().equals("10"));
	}

	@Test
	void isReadyWithSyncedReflector() {
		this.client.get()
			.uri("/actuator/health/readiness")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.status")
			.isEqualTo("UP")
			.jsonPath("$.components.reflectors.components.widgets.status")
			.isEqualTo("UP")
			.jsonPath("$.components.reflectors.components.widgets.details.lastSyncResourceVersion")
			.isEqualTo("10");
	}

	@Test
	void livenessDoesNotAskReflectors() {
		this.client.get()
			.uri("/actuator/health/liveness")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.components.reflectors")
			.doesNotExist();
	}

	@Test
	void infoTellsHowManyReflectorsThereAre() {
		this.client.get()
			.uri("/actuator/info")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.reflectors.count")
			.isEqualTo(1)
			.jsonPath("$.reflectors.server")
			.doesNotExist();
	}

	@Test
	void endpointShowsTheMirror() {
		this.client.get()
			.uri("/actuator/reflectors/widgets")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.size")
			.isEqualTo(1)
			.jsonPath("$.resource.group")
			.isEqualTo("example.com")
			.jsonPath("$.lastError")
			.isEmpty();
	}

	@Test
	void metricsShowTheMirror() {
		this.client.get()
			.uri("/actuator/metrics/reflector.store.size?tag=reflector:widgets")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.measurements[0].value")
			.isEqualTo(1.0);
	}

	@Test
	void actionIsTaken() {
		this.client.post()
			.uri("/actuator/reflectors/widgets")
			.bodyValue(Map.of("action", "relist"))
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.value((body) -> assertThat(body).contains("\"name\":\"widgets\""));
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage(basePackageClasses = Widget.class)
	static class Application {

		@Bean
		ListerWatcher<Widget> widgets() {
			return new InMemoryListerWatcher<>(List.of(new Widget(ObjectMeta.of("default", "a"), 1)));
		}

	}

}
