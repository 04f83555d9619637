package dev.reflector.sample.durable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.snapshot.jdbc.JdbcSnapshotStore;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The walk-through of the guide: the application is killed, the cluster changes, the
 * application is started again.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DurableApplicationTests {

	private final EmbeddedApiServer server = Cluster.start(0);

	private final ResourceCollection widgets = this.server.resources("widgets");

	@TempDir
	private Path folder;

	@BeforeAll
	static void bePatient() {
		Awaitility.setDefaultTimeout(Duration.ofSeconds(120));
	}

	@AfterAll
	static void reset() {
		Awaitility.reset();
	}

	@AfterEach
	void stopServer() {
		this.server.close();
	}

	/** Both with {@code -Dtests.full=true}. */
	static Stream<Boolean> histories() {
		return Boolean.getBoolean("tests.full") ? Stream.of(false, true) : Stream.of(true);
	}

	@ParameterizedTest
	@MethodSource("histories")
	void afterAKillTheTableIsRightAndOnlyDifferencesAreHeard(boolean historyIsGone) throws Exception {
		create("a", 1);
		create("b", 1);
		create("c", 1);
		create("unchanged", 1);
		try (ApplicationProcess application = ApplicationProcess.start(this.folder, "first.log", this.server.url())) {
			awaitTableEqualToServer(application);
			await().untilAsserted(() -> assertThat(application.written()).containsExactlyInAnyOrder("Added a",
					"Added b", "Added c", "Added unchanged"));
			awaitCommitted();
		}
		this.widgets.mergePatch("default", "a", Map.of("spec", Map.of("size", 10)));
		this.widgets.delete("default", "b");
		this.widgets.delete("default", "c");
		create("c", 30);
		create("d", 4);
		if (historyIsGone) {
			this.server.compact();
		}
		try (ApplicationProcess application = ApplicationProcess.start(this.folder, "second.log", this.server.url())) {
			awaitTableEqualToServer(application);
			assertThat(application.log()).contains("restored 4 objects");
			// it comes after all that has happened while the application was down
			create("last", 1);
			await().untilAsserted(() -> assertThat(application.written()).contains("Added last"));
			assertThat(application.written()).containsExactlyInAnyOrder("Updated a", "Deleted b", "Deleted c",
					"Added c", "Added d", "Added last");
			assertThat(application.written()).containsSubsequence("Deleted c", "Added c");
			awaitTableEqualToServer(application);
		}
	}

	private void create(String name, int size) {
		this.widgets.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", size)));
	}

	private void awaitTableEqualToServer(ApplicationProcess application) {
		application.awaitStarted();
		String expected = this.widgets.list()
			.stream()
			.map((widget) -> "{\"namespace\":\"default\",\"name\":%s,\"size\":%s}"
				.formatted(widget.at("/metadata/name"), widget.at("/spec/size")))
			.sorted()
			.collect(Collectors.joining(",", "[", "]"));
		await().untilAsserted(() -> assertThat(application.table()).as(application::log).isEqualTo(expected));
	}

	/** What is not committed when the application is killed comes again. */
	private void awaitCommitted() {
		await().until(() -> {
			try (JdbcSnapshotStore store = JdbcSnapshotStore.of(this.folder.resolve("reflectors.db"));
					Snapshot snapshot = store.open("widgets")) {
				return snapshot.facts().cursors().containsValue(this.server.resourceVersion());
			}
		});
	}

}
