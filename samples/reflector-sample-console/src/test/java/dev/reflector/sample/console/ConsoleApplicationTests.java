package dev.reflector.sample.console;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "console.churn.interval=50ms", "spring.reactor.netty.shutdown-quiet-period=100ms" })
@AutoConfigureWebTestClient
class ConsoleApplicationTests {

	@LocalServerPort
	private int port;

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
		this.client.get().uri("/actuator/reflectors/widgets").exchange().expectStatus().isOk().expectBody();
		this.client.get().uri("/actuator/reflectors/nope").exchange().expectStatus().isNotFound().expectBody();
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
		this.client.get().uri("/actuator/metrics/reflector.store.size").exchange().expectStatus().isOk().expectBody();
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
		this.client.put().uri("/api/widgets/{name}", name).exchange().expectStatus().isOk().expectBody();
		await().until(() -> {
			Widget widget = this.widgets.get("default", name);
			return widget == null || !widget.metadata().resourceVersion().equals(version);
		});
		// the churn may have been faster
		this.client.delete()
			.uri("/api/widgets/{name}", name)
			.exchange()
			.expectStatus()
			.value((status) -> assertThat(status).isIn(200, 404))
			.expectBody();
		await().until(() -> this.widgets.get("default", name) == null);
		this.client.delete().uri("/api/widgets/nope").exchange().expectStatus().isNotFound().expectBody();
	}

	@Test
	void eventsAreStreamedWithTheOnesBefore() throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.port + "/api/events"))
			.build();
		HttpResponse<Stream<String>> response = HttpClient.newHttpClient()
			.send(request, HttpResponse.BodyHandlers.ofLines());
		try (Stream<String> lines = response.body()) {
			String seen = lines.filter((line) -> line.startsWith("data:")).limit(3).collect(Collectors.joining());
			assertThat(seen).contains("SYNCED").contains("initial list").contains("UPDATED");
		}
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
