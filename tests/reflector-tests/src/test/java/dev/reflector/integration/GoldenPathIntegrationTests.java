package dev.reflector.integration;

import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.reflector.ReflectorState;
import dev.reflector.fixture.LongForm;
import dev.reflector.fixture.UnrelatedAutoConfigurations;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * A Spring Boot application and the embedded server, with a real socket between them.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GoldenPathIntegrationTests {

	private EmbeddedApiServer server;

	private ResourceCollection widgets;

	@BeforeEach
	void startServer() {
		this.server = EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).start();
		this.widgets = this.server.resources("widgets");
	}

	@AfterEach
	void closeServer() {
		this.server.close();
	}

	private void create(String name, int size) {
		this.widgets.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", size)));
	}

	static Stream<Arguments> settings() {
		return LongForm.some(Stream.of(arguments("auto", "arrival"), arguments("auto", "per-key"),
				arguments("list", "arrival"), arguments("list", "per-key")));
	}

	@ParameterizedTest
	@MethodSource("settings")
	void mirrorsTheExistingObjectsAndFollowsChanges(String initialList, String ordering) {
		create("a", 1);
		create("b", 2);
		try (MirrorApplication application = MirrorApplication.on(this.server,
				"reflector.watch.initial-list=" + initialList, "reflector.queue.ordering=" + ordering,
				// with everything that Boot configures, as in an application
				UnrelatedAutoConfigurations.INCLUDED)) {
			application.awaitEqualTo(this.widgets);
			create("c", 3);
			this.widgets.mergePatch("default", "a", Map.of("spec", Map.of("size", 10)));
			this.widgets.delete("default", "b");
			application.awaitEqualTo(this.widgets);
			assertThat(application.widgets.get("default", "a").spec().size()).isEqualTo(10);
			assertThat(application.heard.events).containsSubsequence("+a@2 initial", "synced", "+c@4", "~a@2>a@5",
					"-b");
			assertThat(application.heard.mistakes).isEmpty();
			assertThat(Set.copyOf(application.heard.threads)).containsExactly("reflector-widgets-events");
			assertThat(application.reflector.state()).isEqualTo(ReflectorState.WATCHING);
			assertThat(application.reflector.resourceType().plural()).isEqualTo("widgets");
			// a listener may get a change a moment before the reflector records its
			// version
			await().untilAsserted(() -> assertThat(application.reflector.lastSyncResourceVersion())
				.isEqualTo(this.widgets.resourceVersion()));
		}
	}

	@Test
	void asksTheWayClientGoDoes() {
		create("a", 1);
		try (MirrorApplication application = MirrorApplication.on(this.server, "reflector.watch.initial-list=list")) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> !this.server.requests(RecordedRequest::isWatch).isEmpty());
			assertThat(this.server.requests(RecordedRequest::isList)).singleElement()
				.satisfies((request) -> assertThat(request.parameters())
					.isEqualTo(Map.of("resourceVersion", "0", "limit", "500")));
			assertThat(this.server.requests(RecordedRequest::isWatch)).singleElement().satisfies((request) -> {
				assertThat(request.parameters()).containsEntry("resourceVersion", "2")
					.containsEntry("allowWatchBookmarks", "true")
					.containsEntry("watch", "true")
					.containsOnlyKeys("resourceVersion", "allowWatchBookmarks", "watch", "timeoutSeconds");
				assertThat(Integer.parseInt(request.parameter("timeoutSeconds"))).isBetween(300, 599);
				assertThat(request.header("Accept-Encoding")).isEqualTo("identity");
			});
		}
	}

	@Test
	void pagesAreReadToTheEnd() {
		IntStream.range(0, 25).forEach((i) -> create("w" + i, i));
		try (MirrorApplication application = MirrorApplication.on(this.server, "reflector.watch.initial-list=list",
				"reflector.list.page-size=4")) {
			application.awaitEqualTo(this.widgets);
			// W-10: a list of any version is answered from the cache and ignores the
			// limit
			assertThat(this.server.requests(RecordedRequest::isList)).hasSize(1);
			this.server.clearRequests();
			application.reflector.relist();
			await().until(() -> application.reflector.status().counts().relists() == 1);
			application.awaitEqualTo(this.widgets);
			assertThat(this.server.requests(RecordedRequest::isList)).hasSize(7)
				.allSatisfy((request) -> assertThat(request.parameter("limit")).isEqualTo("4"));
		}
	}

	@Test
	void selectorsAndNamespacesNarrowTheMirror() {
		this.widgets.create(Map.of("metadata", Map.of("name", "a", "namespace", "n1", "labels", Map.of("app", "web"))));
		this.widgets.create(Map.of("metadata", Map.of("name", "b", "namespace", "n2", "labels", Map.of("app", "web"))));
		this.widgets.create(Map.of("metadata", Map.of("name", "c", "namespace", "n3", "labels", Map.of("app", "web"))));
		this.widgets.create(Map.of("metadata", Map.of("name", "d", "namespace", "n1", "labels", Map.of("app", "db"))));
		try (MirrorApplication application = MirrorApplication.on(this.server,
				"reflector.resources.widgets.namespaces=n1,n2", "reflector.resources.widgets.label-selector=app=web")) {
			await().untilAsserted(() -> assertThat(application.mirror()).containsOnlyKeys("n1/a", "n2/b"));
			await().until(application.reflector::hasSynced);
			this.widgets.mergePatch("n1", "d", Map.of("metadata", Map.of("labels", Map.of("app", "web"))));
			this.widgets.mergePatch("n2", "b", Map.of("metadata", Map.of("labels", Map.of("app", "db"))));
			await().untilAsserted(() -> assertThat(application.mirror()).containsOnlyKeys("n1/a", "n1/d"));
		}
	}

	@Test
	void anObjectThatDoesNotFitIsSkippedAndTheOthersGoOn() {
		create("good", 1);
		this.widgets.create(Map.of("metadata", Map.of("name", "bad"), "spec", Map.of("size", "not a number")));
		try (MirrorApplication application = MirrorApplication.on(this.server)) {
			await().until(application.reflector::hasSynced);
			assertThat(application.mirror()).containsOnlyKeys("default/good");
			assertThat(application.reflector.status().lastError()).satisfies((error) -> {
				assertThat(error.reason()).isEqualTo("UnreadableObject");
				assertThat(error.message()).contains("default/bad")
					.contains("spec.size")
					.doesNotContain("not a number");
			});
			create("later", 2);
			await().untilAsserted(
					() -> assertThat(application.mirror()).containsOnlyKeys("default/good", "default/later"));
			// it fits after all
			this.widgets.mergePatch("default", "bad", Map.of("spec", Map.of("size", 7)));
			application.awaitEqualTo(this.widgets);
			// and then no more: the last version that could be read stays
			this.widgets.mergePatch("default", "bad", Map.of("spec", Map.of("size", "again no number")));
			await().until(() -> application.reflector.lastSyncResourceVersion().equals(this.widgets.resourceVersion()));
			assertThat(application.widgets.get("default", "bad").spec().size()).isEqualTo(7);
			this.widgets.delete("default", "bad");
			application.awaitEqualTo(this.widgets);
			assertThat(application.heard.mistakes).isEmpty();
		}
	}

	@Test
	void anObjectThatIsTooLargeIsSkippedWithTheNameOfTheProperty() {
		create("good", 1);
		try (MirrorApplication application = MirrorApplication.on(this.server,
				"reflector.api-server.max-object-size=10KB")) {
			application.awaitEqualTo(this.widgets);
			this.widgets.create(Map.of("metadata", Map.of("name", "huge"), "spec",
					Map.of("size", 1, "colour", "x".repeat(100_000))));
			create("later", 2);
			await().untilAsserted(
					() -> assertThat(application.mirror()).containsOnlyKeys("default/good", "default/later"));
			assertThat(application.reflector.status().lastError().message()).contains("default/huge")
				.contains("reflector.api-server.max-object-size");
		}
	}

	@Test
	void aLargeObjectIsMirrored() {
		this.widgets.create(Map.of("metadata", Map.of("name", "large"), "spec",
				Map.of("size", 1, "colour", "é€😀".repeat(500_000))));
		try (MirrorApplication application = MirrorApplication.on(this.server)) {
			application.awaitEqualTo(this.widgets);
			assertThat(application.widgets.get("default", "large").spec().colour()).hasSize(4 * 500_000)
				.startsWith("é€😀é")
				.endsWith("€😀");
		}
	}

	@Test
	void aTypeTheServerDoesNotServeIsShownAndResolvesWithoutARestart() {
		try (EmbeddedApiServer other = EmbeddedApiServer.builder()
			.type("apps/v1", "Deployment", "deployments", true)
			.start()) {
			int port = other.port();
			try (MirrorApplication application = MirrorApplication.on(other, "reflector.backoff.initial=50ms",
					"reflector.backoff.max=50ms")) {
				await().until(() -> application.reflector.state() == ReflectorState.AWAITING_TYPE);
				assertThat(application.reflector.status().lastError()).satisfies((error) -> {
					assertThat(error.status()).isEqualTo(404);
					assertThat(error.message()).contains("does not serve example.com/v1 Widget").contains("CRD");
				});
				other.stop();
				try (EmbeddedApiServer serving = EmbeddedApiServer.builder()
					.port(port)
					.type("example.com/v1", "Widget", "widgets", true)
					.start()) {
					serving.resources("widgets").create(Map.of("metadata", Map.of("name", "a")));
					application.awaitEqualTo(serving.resources("widgets"));
				}
			}
		}
	}

	@Test
	void pauseResumeRelistAndResyncWorkOnARealConnection() {
		create("a", 1);
		try (MirrorApplication application = MirrorApplication.on(this.server)) {
			application.awaitEqualTo(this.widgets);
			application.reflector.pause();
			await().until(() -> this.server.activeWatches() == 0);
			create("b", 2);
			application.reflector.resume();
			application.awaitEqualTo(this.widgets);
			application.reflector.relist();
			await().until(() -> application.reflector.status().counts().relists() == 1);
			assertThat(application.heard.mistakes).isEmpty();
			application.heard.resyncs = true;
			application.reflector.resync();
			await().until(() -> application.heard.events.contains("~b@3>b@3"));
			application.awaitEqualTo(this.widgets);
			assertThat(application.heard.mistakes).isEmpty();
		}
		await().until(() -> this.server.activeWatches() == 0);
	}

}
