package dev.reflector.integration;

import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.test.Backup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Tests which changes listeners receive after a restart of the application, if the server
 * has changed since the stop.
 */
@ExtendWith(OutputCaptureExtension.class)
class DurableRestartIntegrationTests extends DurableScenario {

	private void changeEverything() {
		this.widgets.delete("default", "a");
		change("b", 2);
		this.widgets.delete("default", "c");
		create("c");
		create("d");
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

	/** As around a checkpoint: the same beans resume from the snapshot. */
	@Test
	void aContextThatIsStoppedAndStartedGoesOnWithoutAList() {
		try (MirrorApplication application = application()) {
			application.awaitEqualTo(this.widgets);
			awaitStored(application);
			for (int round = 0; round < 2; round++) {
				application.context.stop();
				await().until(() -> this.server.activeConnections() == 0);
				this.server.clearRequests();
				application.heard.events.clear();
				changeEverything();
				application.context.start();
				await().untilAsserted(
						() -> assertThat(kinds(application)).containsExactly("+c", "+d", "-a", "-c", "~b>b"));
				application.assertEqualTo(this.widgets);
				assertThat(application.heard.mistakes).isEmpty();
				assertThat(lists()).isEmpty();
				assertThat(watches()).noneMatch((watch) -> "true".equals(watch.parameter("sendInitialEvents")));
				this.widgets.delete("default", "d");
				create("a");
				change("b", 1);
				application.awaitEqualTo(this.widgets);
				awaitStored(application);
			}
		}
	}

	@Test
	void aContextThatIsStartedAgainOutsideTheWindowGetsOnlyTheDifferences() {
		try (MirrorApplication application = application()) {
			application.awaitEqualTo(this.widgets);
			awaitStored(application);
			application.context.stop();
			application.heard.events.clear();
			changeEverything();
			this.server.compact();
			application.context.start();
			await().untilAsserted(() -> assertThat(kinds(application)).containsExactly("+c", "+d", "-a", "-c", "~b>b"));
			application.assertEqualTo(this.widgets);
			assertThat(application.heard.mistakes).isEmpty();
		}
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
	@LongFormOnly
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
		Files.writeString(file(), "this is no database".repeat(1000));
		try (MirrorApplication application = application()) {
			await().untilAsserted(
					() -> assertThat(kinds(application)).containsExactly("+a initial", "+b initial", "+c initial"));
		}
		assertThat(this.directory.toFile().list()).anyMatch((name) -> name.contains(".damaged-"));
	}

	/** Without the namespace kube-system, the server is identified by its URL. */
	@Test
	@LongFormOnly
	void aServerWhoseDataWereWipedLooksLikeOneThatHasGoneBack() {
		mirrorOnce();
		this.server.restore(this.empty);
		create("z");
		try (MirrorApplication application = application()) {
			await().untilAsserted(() -> assertThat(kinds(application)).containsExactly("+z", "-a", "-b", "-c"));
			assertThat(application.mirror()).isEqualTo(MirrorApplication.contentOf(this.widgets));
		}
	}

	/**
	 * All stored times are human-readable information, and no decision depends on them.
	 */
	@Test
	@LongFormOnly
	void aClockThatIsSetBackChangesNothing() {
		mirrorOnce();
		try (SystemTimeSource system = new SystemTimeSource()) {
			SetBack time = new SetBack(system);
			for (String name : List.of("d", "e")) {
				try (MirrorApplication application = MirrorApplication.on(this.server, time, properties(file()))) {
					create(name);
					await().until(() -> kinds(application).equals(List.of("+" + name)));
					time.days++;
					this.widgets.delete("default", name);
					await().until(() -> kinds(application).equals(List.of("+" + name, "-" + name)));
					await().untilAsserted(() -> assertThat(application.reflector.durability().committedAt())
						.isBefore(Instant.now().minus(Duration.ofHours(20L * time.days))));
				}
			}
		}
		assertThat(lists()).isEmpty();
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
				"reflector.snapshot.jdbc.file=" + file(), "reflector.events.on-error=retry"))
			.rootCause()
			.hasMessageContaining("'reflector.events.on-error' is 'retry'");
	}

	/** A clock that is set back by some days. */
	private static final class SetBack implements TimeSource {

		private final TimeSource system;

		private volatile int days;

		private SetBack(TimeSource system) {
			this.system = system;
		}

		@Override
		public Instant now() {
			return this.system.now().minus(Duration.ofDays(this.days));
		}

		@Override
		public long nanoTime() {
			return this.system.nanoTime();
		}

		@Override
		public Runnable schedule(Duration delay, Runnable task) {
			return this.system.schedule(delay, task);
		}

	}

}
