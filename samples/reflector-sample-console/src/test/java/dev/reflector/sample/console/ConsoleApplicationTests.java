package dev.reflector.sample.console;

import java.util.Map;

import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.FluxExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "console.churn.interval=50ms", "spring.reactor.netty.shutdown-quiet-period=0s" })
@AutoConfigureWebTestClient
class ConsoleApplicationTests {

	@Autowired
	private WebTestClient client;

	@Autowired
	private Lister<Widget> widgets;

	@Autowired
	private Reflector<Widget> reflector;

	@Autowired
	private Reflector<Deployment> deployments;

	@Test
	void theEndpointShowsBothReflectorsAtWork() {
		String version = this.reflector.lastSyncResourceVersion();
		this.client.get()
			.uri("/actuator/reflectors")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.reflectors.widgets.state")
			.isEqualTo("WATCHING")
			.jsonPath("$.reflectors.widgets.synced")
			.isEqualTo(true)
			.jsonPath("$.reflectors.deployments.state")
			.isEqualTo("WATCHING")
			.jsonPath("$.reflectors.deployments.synced")
			.isEqualTo(true);
		await().until(() -> !this.reflector.lastSyncResourceVersion().equals(version));
		this.client.get().uri("/actuator/reflectors/widgets").exchange().expectStatus().isOk();
		this.client.get().uri("/actuator/reflectors/nope").exchange().expectStatus().isNotFound();
	}

	@Test
	void healthMetricsAndPrometheusAnswer() {
		this.client.get()
			.uri("/actuator/health")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.components.reflectors.components.widgets.status")
			.isEqualTo("UP");
		this.client.get().uri("/actuator/metrics/reflector.store.size").exchange().expectStatus().isOk();
		this.client.get()
			.uri("/actuator/prometheus")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.value((body) -> assertThat(body).contains("reflector_store_size"));
	}

	@Test
	void widgetsCanBeCreatedChangedAndDeleted() {
		String name = this.client.post()
			.uri("/api/widgets")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(Map.class)
			.returnResult()
			.getResponseBody()
			.get("name")
			.toString();
		await().until(() -> this.widgets.get("default", name) != null);
		String version = this.widgets.get("default", name).metadata().resourceVersion();
		this.client.put().uri("/api/widgets/{name}", name).exchange().expectStatus().isOk();
		await().until(() -> {
			Widget widget = this.widgets.get("default", name);
			return widget == null || !widget.metadata().resourceVersion().equals(version);
		});
		// the churn may have been faster
		this.client.delete()
			.uri("/api/widgets/{name}", name)
			.exchange()
			.expectStatus()
			.value((status) -> assertThat(status).isIn(200, 404));
		await().until(() -> this.widgets.get("default", name) == null);
		this.client.delete().uri("/api/widgets/nope").exchange().expectStatus().isNotFound();
	}

	@Test
	void eventsAreStreamedWithTheOnesBefore() {
		FluxExchangeResult<String> result = this.client.get()
			.uri("/api/events")
			.accept(MediaType.TEXT_EVENT_STREAM)
			.exchange()
			.expectStatus()
			.isOk()
			.returnResult(String.class);
		StringBuilder seen = new StringBuilder();
		result.getResponseBody().take(3).doOnNext(seen::append).blockLast(java.time.Duration.ofSeconds(20));
		assertThat(seen).contains("SYNCED").contains("initial list").contains("UPDATED");
	}

	@Test
	void thePageIsServed() {
		this.client.get()
			.uri("/")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.value((body) -> assertThat(body).contains("Reflector console"));
		assertThat(this.deployments.state()).isEqualTo(ReflectorState.WATCHING);
	}

}
