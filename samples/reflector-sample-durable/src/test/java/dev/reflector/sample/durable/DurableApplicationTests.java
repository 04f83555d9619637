package dev.reflector.sample.durable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.snapshot.jdbc.JdbcSnapshotStore;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The walk-through of the guide: the application is killed, the cluster changes, the
 * application is started again. With {@code -Dtests.full=true}, all of it happens once
 * more, and the server has forgotten what has changed.
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

	@Test
	void afterAKillTheTableIsRightAndOnlyDifferencesAreHeard() throws Exception {
		create("a", 1);
		create("b", 1);
		create("c", 1);
		create("unchanged", 1);
		try (RunningApplication application = start("first.log")) {
			awaitTableEqualToServer(application);
			await().untilAsserted(() -> assertThat(application.written()).containsExactlyInAnyOrder("Added a",
					"Added b", "Added c", "Added unchanged"));
			awaitCommitted();
		}
		change(10, "b", "d");
		if (Boolean.getBoolean("tests.full")) {
			try (RunningApplication application = start("second.log")) {
				assertHeardOfTheChange(application, 4, "b", "d", "last");
				awaitCommitted();
			}
			change(20, "d", "e");
			// the application must list and compare now
			this.server.compact();
			try (RunningApplication application = startHere("third.log")) {
				assertHeardOfTheChange(application, 5, "d", "e", "later");
			}
		}
		else {
			try (RunningApplication application = startHere("second.log")) {
				assertHeardOfTheChange(application, 4, "b", "d", "last");
			}
		}
	}

	private RunningApplication start(String log) throws IOException {
		return RunningApplication.start(this.folder, log, this.server.url());
	}

	/** Starts the last application, which need not be killed, in this process. */
	private RunningApplication startHere(String log) {
		return RunningApplication.startHere(this.folder, log, this.server.url());
	}

	private void change(int size, String gone, String added) {
		this.widgets.mergePatch("default", "a", Map.of("spec", Map.of("size", size)));
		this.widgets.delete("default", gone);
		this.widgets.delete("default", "c");
		create("c", size + 1);
		create(added, size + 2);
	}

	private void assertHeardOfTheChange(RunningApplication application, int restored, String gone, String added,
			String last) {
		awaitTableEqualToServer(application);
		assertThat(application.log()).contains("restored " + restored + " objects");
		// it comes after all that has happened while the application was down
		create(last, 1);
		await().untilAsserted(() -> assertThat(application.written()).contains("Added " + last));
		assertThat(application.written()).containsExactlyInAnyOrder("Updated a", "Deleted " + gone, "Deleted c",
				"Added c", "Added " + added, "Added " + last);
		assertThat(application.written()).containsSubsequence("Deleted c", "Added c");
		awaitTableEqualToServer(application);
	}

	private void create(String name, int size) {
		this.widgets.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", size)));
	}

	private void awaitTableEqualToServer(RunningApplication application) {
		application.awaitStarted();
		String expected = this.widgets.list()
			.stream()
			.map((widget) -> "{\"namespace\":\"default\",\"name\":%s,\"size\":%s}"
				.formatted(widget.at("/metadata/name"), widget.at("/spec/size")))
			.sorted()
			.collect(Collectors.joining(",", "[", "]"));
		await().untilAsserted(() -> assertThat(application.table()).as(application::log).isEqualTo(expected));
	}

	/**
	 * Waits for the commit: changes that are not committed before a kill are delivered
	 * again.
	 */
	private void awaitCommitted() {
		await().until(() -> {
			try (JdbcSnapshotStore store = JdbcSnapshotStore.of(this.folder.resolve("reflectors.db"));
					Snapshot snapshot = store.open("widgets")) {
				return snapshot.facts().cursors().containsValue(this.server.resourceVersion());
			}
		});
	}

}
