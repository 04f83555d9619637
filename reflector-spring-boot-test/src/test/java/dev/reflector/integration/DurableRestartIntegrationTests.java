package dev.reflector.integration;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.reflector.test.Backup;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Tests which changes listeners get after a restart of the application, when the server
 * has changed meanwhile.
 */
@ExtendWith(OutputCaptureExtension.class)
class DurableRestartIntegrationTests extends WidgetScenario {

	@TempDir
	Path directory;

	@BeforeEach
	void createOneMore() {
		create("c");
	}

	private MirrorApplication application(String... properties) {
		List<String> all = new ArrayList<>(List.of("reflector.snapshot.enabled=true",
				"reflector.snapshot.jdbc.file=" + this.directory.resolve("mirror.db"),
				"reflector.events.on-error=stop"));
		all.addAll(List.of(properties));
		return MirrorApplication.on(this.server, all.toArray(String[]::new));
	}

	/** Mirrors the existing objects, and stops. */
	private void mirrorOnce(String... properties) {
		try (MirrorApplication application = application(properties)) {
			application.awaitEqualTo(this.widgets);
			await().until(() -> application.reflector.durability().behindSince() == null
					&& application.reflector.durability().committedAt() != null);
		}
		this.server.clearRequests();
	}

	private void changeEverything() {
		this.widgets.delete("default", "a");
		this.widgets.mergePatch("default", "b", Map.of("spec", Map.of("size", 2)));
		this.widgets.delete("default", "c");
		create("c");
		create("d");
	}

	private static List<String> kinds(MirrorApplication application) {
		return application.heard.events.stream()
			.filter((event) -> event.matches("[-+~].*"))
			.map((event) -> event.replaceAll("@\\d+", ""))
			.sorted()
			.toList();
	}

	@Test
	void insideTheWindowTheWatchGoesOnWithoutAList() {
		mirrorOnce();
		changeEverything();
		try (MirrorApplication application = application()) {
			await().untilAsserted(() -> assertThat(kinds(application)).containsExactly("+c", "+d", "-a", "-c", "~b>b"));
			assertThat(application.mirror()).isEqualTo(MirrorApplication.contentOf(this.widgets));
			assertThat(application.reflector.durability().restored()).isEqualTo(3);
		}
		assertThat(lists()).isEmpty();
		assertThat(watches()).noneMatch((watch) -> "true".equals(watch.parameter("sendInitialEvents")));
	}

	@Test
	void outsideTheWindowTheStateIsComparedAndOnlyDifferencesAreDelivered() {
		mirrorOnce();
		changeEverything();
		this.server.compact();
		try (MirrorApplication application = application()) {
			await().untilAsserted(() -> assertThat(kinds(application)).containsExactly("+c", "+d", "-a", "-c", "~b>b"));
			assertThat(application.mirror()).isEqualTo(MirrorApplication.contentOf(this.widgets));
		}
	}

	@Test
	void aServerThatHasGoneBackIsComparedWith() {
		Backup backup = this.server.backup();
		create("d");
		create("e");
		mirrorOnce();
		this.server.restore(backup);
		try (MirrorApplication application = application()) {
			await().untilAsserted(() -> assertThat(kinds(application)).containsExactly("-d", "-e"));
			assertThat(application.mirror()).isEqualTo(MirrorApplication.contentOf(this.widgets));
		}
	}

	@Test
	void withoutResumingAServerThatHasGoneBackAndPassedIsComparedWith() {
		Backup backup = this.server.backup();
		create("d");
		mirrorOnce();
		this.server.restore(backup);
		create("x");
		create("y");
		create("z");
		try (MirrorApplication application = application("reflector.snapshot.resume=never")) {
			await().untilAsserted(() -> assertThat(kinds(application)).containsExactly("+x", "+y", "+z", "-d"));
		}
	}

	@Test
	void anotherSelectorIsComparedWith(CapturedOutput output) {
		mirrorOnce();
		this.widgets.mergePatch("default", "b", Map.of("metadata", Map.of("labels", Map.of("app", "web"))));
		try (MirrorApplication application = application("reflector.resources.widgets.label-selector=app=web")) {
			await().untilAsserted(() -> assertThat(kinds(application)).containsExactly("-a", "-c", "~b>b"));
		}
		assertThat(output).contains("changed since it was written: label selector");
	}

	@Test
	void aDamagedFileIsKeptAndAllObjectsAreDeliveredAgain() throws Exception {
		mirrorOnce();
		Files.writeString(this.directory.resolve("mirror.db"), "this is no database".repeat(1000));
		try (MirrorApplication application = application()) {
			await().untilAsserted(
					() -> assertThat(kinds(application)).containsExactly("+a initial", "+b initial", "+c initial"));
		}
		assertThat(this.directory.toFile().list()).anyMatch((name) -> name.contains(".damaged-"));
	}

	@Test
	void withoutChangesNothingIsDelivered() {
		mirrorOnce();
		try (MirrorApplication application = application()) {
			await().until(application.reflector::hasSynced);
			assertThat(kinds(application)).isEmpty();
		}
	}

	@Test
	void aFailureMustNotBeLost() {
		assertThatThrownBy(() -> MirrorApplication.on(this.server, "reflector.snapshot.enabled=true",
				"reflector.snapshot.jdbc.file=" + this.directory.resolve("mirror.db"),
				"reflector.events.on-error=retry"))
			.rootCause()
			.hasMessageContaining("'reflector.events.on-error' is 'retry'");
	}

}
