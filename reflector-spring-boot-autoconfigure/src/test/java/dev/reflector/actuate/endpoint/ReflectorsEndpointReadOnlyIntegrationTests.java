package dev.reflector.actuate.endpoint;

import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.fixture.FakeReflector;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.context.annotation.Bean;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

/**
 * Tests for {@link ReflectorsEndpoint} over HTTP with its default access.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "spring.reactor.netty.shutdown-quiet-period=100ms",
				// Reactor Netty may stop reading a connection that is used again (its
				// issue 4361)
				"server.netty.max-keep-alive-requests=1", "management.endpoints.web.exposure.include=*", "KUBECONFIG=",
				"user.home=/nonexistent", "KUBERNETES_SERVICE_HOST=" })
@AutoConfigureWebTestClient(timeout = "60s")
class ReflectorsEndpointReadOnlyIntegrationTests {

	@Autowired
	private WebTestClient client;

	@Test
	void answers405ToPost() {
		this.client.post()
			.uri("/actuator/reflectors/deployments")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue("{\"action\":\"relist\"}")
			.exchange()
			.expectStatus()
			.isEqualTo(405)
			.expectBody();
	}

	@Test
	void answersToGet() {
		this.client.get().uri("/actuator/reflectors/deployments").exchange().expectStatus().isOk().expectBody();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Reflector<Object> deployments() {
			return new FakeReflector<>("deployments",
					FakeReflector.status(ReflectorState.WATCHING, true, FakeReflector.NOW, FakeReflector.forbidden()));
		}

	}

}
