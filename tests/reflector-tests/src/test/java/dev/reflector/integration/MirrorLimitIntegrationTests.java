package dev.reflector.integration;

import java.util.Map;
import java.util.Objects;

import dev.reflector.ReflectorState;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Mirrors with a limit of objects or bytes, over lists, streamed lists and watches.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MirrorLimitIntegrationTests {

	private static final String SETTING = "reflector.resources.widgets.";

	@ParameterizedTest
	@CsvSource({ "list, json, max-objects=3", "stream, json, max-size=10KB", "list, cbor, max-size=10KB" })
	void theMirrorStaysAsItWasUntilThereIsRoomAgain(String initialList, String format, String limit) {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.start()) {
			ResourceCollection widgets = server.resources("widgets");
			// three have less than 10 KB, and four more
			for (String name : new String[] { "a", "b", "c" }) {
				create(widgets, name);
			}
			try (MirrorApplication application = MirrorApplication.on(server, SETTING + limit,
					"reflector.watch.initial-list=" + initialList, "reflector.api-server.format=" + format,
					"reflector.health.failing-threshold=0s", "reflector.backoff.initial=10ms",
					"reflector.backoff.max=50ms")) {
				application.awaitEqualTo(widgets);
				application.awaitWatching(server);
				Map<String, String> before = application.mirror();
				create(widgets, "d");
				// by the watch, and then by lists
				await().until(() -> application.reflector.status().counts().errors() >= 3);
				assertThat(application.mirror()).isEqualTo(before);
				assertThat(application.reflector.state()).isEqualTo(ReflectorState.BACKING_OFF);
				assertThat(Objects.requireNonNull(application.reflector.status().lastError()).message())
					.contains("'" + SETTING + limit.substring(0, limit.indexOf('=')) + "' is ");
				await().untilAsserted(() -> assertThat(health(application).getStatus()).isEqualTo(Status.DOWN));
				widgets.delete("default", "a");
				application.awaitEqualTo(widgets);
				application.awaitWatching(server);
				assertThat(health(application).getStatus()).isEqualTo(Status.UP);
				assertThat(application.mirror()).hasSize(3).containsKey("default/d");
			}
		}
	}

	private static void create(ResourceCollection widgets, String name) {
		widgets
			.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", 1, "padding", "x".repeat(3000))));
	}

	private static Health health(MirrorApplication application) {
		CompositeHealthContributor reflectors = application.context.getBean("reflectorsHealthContributor",
				CompositeHealthContributor.class);
		HealthIndicator widgets = (HealthIndicator) Objects.requireNonNull(reflectors.getContributor("widgets"));
		return Objects.requireNonNull(widgets.health(true));
	}

}
