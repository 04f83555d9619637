package dev.reflector.sample.console;

import java.util.Map;

import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "console.churn.interval=0s", "spring.reactor.netty.shutdown-quiet-period=100ms",
				// Reactor Netty may stop reading a connection that is used again (its
				// issue 4361)
				"server.netty.max-keep-alive-requests=1" })
@AutoConfigureWebTestClient(timeout = "60s")
@DirtiesContext
class ConsoleApplicationTests {

	@Autowired
	private WebTestClient client;

	@Autowired
	private Lister<Widget> widgets;

	@Autowired
	private Reflector<Widget> reflector;

	@Autowired
	private Reflector<Deployment> deployments;

	/** A reflector has synced a moment before it watches, or a moment after. */
	@BeforeEach
	void awaitWatches() {
		await().until(() -> isAtWork(this.reflector) && isAtWork(this.deployments));
	}

	private static boolean isAtWork(Reflector<?> reflector) {
		return reflector.state() == ReflectorState.WATCHING && reflector.hasSynced();
	}

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
		create();
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
			.value((body) -> assertThat(body.lines().filter((line) -> line.startsWith("# HELP reflector_")))
				.anyMatch((line) -> line.startsWith("# HELP reflector_store_size_objects "))
				.allMatch((line) -> line.matches("# HELP \\S+ \\S.*"), "has a text")
				.noneMatch((line) -> line.matches("# HELP \\S*_([^_ ]+)_(\\S*_)?\\1[_ ].*"), "has a word twice"));
	}

	@Test
	void widgetsCanBeCreatedChangedAndDeleted() {
		String name = create();
		await().until(() -> this.widgets.get("default", name) != null);
		String version = this.widgets.get("default", name).metadata().resourceVersion();
		change(name);
		await().until(() -> !this.widgets.get("default", name).metadata().resourceVersion().equals(version));
		this.client.delete().uri("/api/widgets/{name}", name).exchange().expectStatus().isOk().expectBody();
		await().until(() -> this.widgets.get("default", name) == null);
		this.client.delete().uri("/api/widgets/{name}", name).exchange().expectStatus().isNotFound().expectBody();
		this.client.put().uri("/api/widgets/{name}", name).exchange().expectStatus().isNotFound().expectBody();
	}

	@Test
	void theConsoleShowsWhatIsMirrored() {
		String name = create();
		await().until(() -> this.widgets.get("default", name) != null);
		this.client.get()
			.uri("/reflectors/api/reflectors/widgets/objects?search={name}", name)
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.matching")
			.isEqualTo(1)
			.jsonPath("$.items[0].name")
			.isEqualTo(name);
	}

	@Test
	void theServerStandsBesideTheMirror() {
		String name = create();
		await().untilAsserted(() -> this.client.get()
			.uri("/sides")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.widgets[?(@.name == '" + name + "' && @.server == @.mirror)]")
			.isNotEmpty()
			.jsonPath("$.server.version")
			.isNotEmpty()
			.jsonPath("$.mirror.version")
			.isNotEmpty());
	}

	@Test
	void thereAreFaultsToTry() {
		this.client.get()
			.uri("/faults")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.faults[*].id")
			.value((ids) -> assertThat(ids).asInstanceOf(InstanceOfAssertFactories.LIST)
				.containsExactly("drop", "compact", "slow-link", "throttle", "silence", "garbage", "slow-listener",
						"restart"));
		this.client.post()
			.uri("/faults/nothing")
			.header("X-Reflector-Sample", "1")
			.exchange()
			.expectStatus()
			.isNotFound()
			.expectBody();
		this.client.delete().uri("/faults/nothing").exchange().expectStatus().isNotFound().expectBody();
	}

	/** Without a CORS preflight, another site cannot send {@code X-Reflector-Sample}. */
	@Test
	void anotherSiteCannotBeginAFault() {
		this.client.post().uri("/faults/slow-listener").exchange().expectStatus().isForbidden().expectBody();
	}

	@Test
	void aFaultThatLastsCanBeEnded() {
		this.client.post()
			.uri("/faults/slow-listener")
			.header("X-Reflector-Sample", "1")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.faults[?(@.id == 'slow-listener')].active")
			.isEqualTo(true);
		this.client.delete()
			.uri("/faults/slow-listener")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.faults[?(@.id == 'slow-listener')].active")
			.isEqualTo(false);
	}

	/**
	 * The server is back after three seconds: a slow machine may need another attempt.
	 */
	@Test
	void aMirrorWhoseServerIsAwayPartsFromIt() {
		try {
			await().untilAsserted(() -> {
				this.client.post()
					.uri("/faults/restart")
					.header("X-Reflector-Sample", "1")
					.exchange()
					.expectStatus()
					.isOk()
					.expectBody();
				String name = create();
				this.client.get()
					.uri("/sides")
					.exchange()
					.expectBody(String.class)
					.value((sides) -> assertThat(sides)
						.containsPattern("\"" + name + "\",\"server\":\\d+,\"mirror\":null"));
			});
		}
		finally {
			this.client.delete().uri("/faults/restart").exchange().expectStatus().isOk().expectBody();
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
			.value((body) -> assertThat(body).contains("reflectors/assets/console.css"));
	}

	private String create() {
		return this.client.post()
			.uri("/api/widgets")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(Map.class)
			.returnResult()
			.getResponseBody()
			.get("name")
			.toString();
	}

	private void change(String name) {
		this.client.put().uri("/api/widgets/{name}", name).exchange().expectStatus().isOk().expectBody();
	}

}
