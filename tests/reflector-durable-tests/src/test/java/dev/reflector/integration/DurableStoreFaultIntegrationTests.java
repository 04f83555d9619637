package dev.reflector.integration;

import java.util.List;
import java.util.Map;

import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus.Durability;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import dev.reflector.snapshot.jdbc.fixture.SmallDisk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Applications whose store fails for a while: nothing is lost, and the log and the status
 * say what is wrong.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class DurableStoreFaultIntegrationTests extends DurableScenario {

	@Test
	void aDatabaseThatGoesAwayAndComesBackAlsoAtTheStart(CapturedOutput output) throws Exception {
		PostgresServer postgres = PostgresServer.get();
		String database = postgres.newDatabase();
		try (MirrorApplication application = applicationWith(database)) {
			application.awaitEqualTo(this.widgets);
			awaitStored(application);
			postgres.stop();
			try {
				create("d");
				awaitBehind(application, output);
				this.widgets.delete("default", "a");
				application.awaitEqualTo(this.widgets);
			}
			finally {
				postgres.start();
			}
			awaitCaughtUp(application, output);
		}
		startsAndTellsOnlyWhatIsNew(postgres, database);
	}

	/** Starts an application while the database is away. */
	private void startsAndTellsOnlyWhatIsNew(PostgresServer postgres, String database) throws Exception {
		this.server.clearRequests();
		this.widgets.delete("default", "b");
		postgres.stop();
		MirrorApplication application;
		try {
			application = applicationWith(database);
			assertWaits(application);
		}
		finally {
			postgres.start();
		}
		try (application) {
			await().until(() -> kinds(application).equals(List.of("-b")));
			await().until(application.reflector::hasSynced);
			assertThat(application.reflector.durability().restored()).isEqualTo(3);
		}
	}

	@Test
	void aDiskThatIsFullForAWhile(CapturedOutput output) throws Exception {
		try (SmallDisk disk = SmallDisk.mount(this.directory.resolve("disk"))) {
			String[] properties = properties(disk.directory().resolve("mirror.db"));
			try (MirrorApplication application = MirrorApplication.on(this.server, properties)) {
				application.awaitEqualTo(this.widgets);
				awaitStored(application);
				for (int number = 1; number <= 20; number++) {
					this.widgets.create(Map.of("metadata", Map.of("name", "large-" + number), "spec",
							Map.of("size", 1, "colour", "red".repeat(50_000))));
				}
				awaitBehind(application, output);
				// a slow store may be reported as silent before
				await().untilAsserted(
						() -> assertThat(application.reflector.durability().lastError().message()).contains("full")
							.endsWith("Free space on that disk: what was stored before is still there"));
				this.widgets.delete("default", "a");
				application.awaitEqualTo(this.widgets);
				disk.remount("size=64m");
				awaitCaughtUp(application, output);
			}
			startsWithNothingToTell(MirrorApplication.on(this.server, properties));
		}
	}

	@Test
	@LongFormOnly
	void aReadOnlyDiskAtTheStart() throws Exception {
		try (SmallDisk disk = SmallDisk.mount(this.directory.resolve("disk"))) {
			disk.remount("ro");
			try (MirrorApplication application = MirrorApplication.on(this.server,
					properties(disk.directory().resolve("mirror.db")))) {
				assertWaits(application);
				await().untilAsserted(() -> assertThat(application.reflector.durability().lastError().message())
					.contains("Read-only file system")
					.contains("'reflector.snapshot.jdbc.file'"));
				disk.remount("rw");
				application.awaitEqualTo(this.widgets);
				awaitStored(application);
			}
		}
	}

	/** Waits until the snapshot is behind, while listeners still receive changes. */
	private void awaitBehind(MirrorApplication application, CapturedOutput output) {
		application.awaitEqualTo(this.widgets);
		await().until(() -> {
			Durability snapshot = application.reflector.durability();
			return snapshot.lastError() != null && snapshot.behindSince() != null;
		});
		// the status says so before the log does
		await().untilAsserted(() -> assertThat(output)
			.containsPattern("Reflector 'widgets': (its snapshot cannot be written|added objects cannot be stored).*"
					+ "redelivers the changes since resource version "));
		assertThat(application.reflector.state()).isEqualTo(ReflectorState.WATCHING);
	}

	private static void awaitCaughtUp(MirrorApplication application, CapturedOutput output) {
		await().until(() -> {
			Durability snapshot = application.reflector.durability();
			return snapshot.lastError() == null && snapshot.behindSince() == null && snapshot.writing();
		});
		await().untilAsserted(
				() -> assertThat(output).contains("Reflector 'widgets': its snapshot can be " + "written again"));
	}

	private void assertWaits(MirrorApplication application) {
		await().until(() -> application.reflector.durability().lastError() != null);
		assertThat(application.reflector.state()).isEqualTo(ReflectorState.STARTING);
		assertThat(this.server.requests((request) -> request.isAbout("widgets"))).isEmpty();
	}

	private void startsWithNothingToTell(MirrorApplication started) {
		try (MirrorApplication application = started) {
			await().until(application.reflector::hasSynced);
			assertThat(application.reflector.durability().restored()).isEqualTo(this.widgets.size());
			assertThat(kinds(application)).isEmpty();
		}
	}

}
