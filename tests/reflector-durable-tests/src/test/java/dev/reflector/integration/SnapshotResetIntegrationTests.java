package dev.reflector.integration;

import java.nio.file.Path;
import java.time.Duration;

import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.fixture.UnrelatedAutoConfigurations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.StatusAssertions;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The endpoint of an application with a durable mirror, over HTTP: what it shows of the
 * snapshot, and the operation {@code reset-snapshot}.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SnapshotResetIntegrationTests extends WidgetScenario {

	@TempDir
	private Path directory;

	private MirrorApplication start() {
		return MirrorApplication.on(this.server, "spring.main.web-application-type=reactive", "server.port=0",
				// Reactor Netty may stop reading a connection that is used again (its
				// issue 4361)
				"server.netty.max-keep-alive-requests=1", "management.endpoints.web.exposure.include=reflectors",
				"management.endpoint.reflectors.access=unrestricted", "reflector.snapshot.enabled=true",
				"reflector.snapshot.jdbc.file=" + this.directory.resolve("mirror.db"), "reflector.events.on-error=stop",
				UnrelatedAutoConfigurations.INCLUDED);
	}

	@Test
	void aStoppedReflectorIsResetAndThenTellsEverythingAsAdded() {
		try (MirrorApplication application = start()) {
			SharedInformer<Widget> informer = (SharedInformer<Widget>) application.reflector;
			application.awaitEqualTo(this.widgets);
			await().until(() -> informer.durability().size() == 2);
			WebTestClient client = client(application);
			client.get()
				.uri("/actuator/reflectors/widgets")
				.exchange()
				.expectBody()
				.jsonPath("$.snapshot.location")
				.isEqualTo(this.directory.resolve("mirror.db").toString())
				.jsonPath("$.snapshot.writing")
				.isEqualTo(true)
				.jsonPath("$.snapshot.restored")
				.isEqualTo(0)
				.jsonPath("$.snapshot.size")
				.isEqualTo(2)
				.jsonPath("$.snapshot.commitTook")
				.value(String.class, (took) -> assertThat(Duration.parse(took)).isGreaterThanOrEqualTo(Duration.ZERO));
			reset(client).isEqualTo(409)
				.expectBody()
				.jsonPath("$.message")
				.isEqualTo("the reflector 'widgets' runs: stop it before its snapshot is reset");
			informer.stop().toCompletableFuture().join();
			assertThat(application.heard.events).contains("synced");
			application.heard.events.clear();
			reset(client).isOk()
				.expectBody()
				.jsonPath("$.state")
				.isEqualTo("STOPPED")
				.jsonPath("$.snapshot.size")
				.isEqualTo(0)
				.jsonPath("$.snapshot.cursors")
				.isEmpty()
				.jsonPath("$.snapshot.committedAt")
				.doesNotExist();
			informer.start();
			await()
				.untilAsserted(() -> assertThat(application.heard.events).filteredOn((event) -> event.startsWith("+"))
					.containsExactlyInAnyOrder("+a@" + version("a") + " initial", "+b@" + version("b") + " initial"));
			await().until(() -> informer.durability().size() == 2);
		}
	}

	private String version(String name) {
		return MirrorApplication.contentOf(this.widgets).get("default/" + name);
	}

	private static WebTestClient client(MirrorApplication application) {
		return WebTestClient.bindToServer()
			.baseUrl("http://localhost:" + application.context.getEnvironment().getProperty("local.server.port"))
			.responseTimeout(Duration.ofSeconds(60))
			.build();
	}

	private static StatusAssertions reset(WebTestClient client) {
		return client.post()
			.uri("/actuator/reflectors/widgets")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue("{\"action\":\"reset-snapshot\"}")
			.exchange()
			.expectStatus();
	}

}
