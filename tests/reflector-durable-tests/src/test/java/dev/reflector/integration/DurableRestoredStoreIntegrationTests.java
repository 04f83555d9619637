package dev.reflector.integration;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

import dev.reflector.fixture.LongFormOnly;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Applications whose store is put back to an earlier state while they run: a dump or a
 * file is restored, or a database fails over to a copy without the last commits. What is
 * stored becomes the mirror again, so the next start delivers what has changed since, and
 * deletions above all.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class DurableRestoredStoreIntegrationTests extends DurableScenario {

	@Test
	@LongFormOnly
	void aDumpOfPostgres(CapturedOutput output) throws Exception {
		String database = PostgresServer.get().newDatabase();
		putBack(database,
				() -> execute(database,
						"CREATE TABLE HEADS AS SELECT * FROM REFLECTOR_SNAPSHOT; CREATE TABLE OBJECTS AS SELECT * FROM "
								+ "REFLECTOR_SNAPSHOT_OBJECT"),
				() -> execute(database,
						"BEGIN; DELETE FROM REFLECTOR_SNAPSHOT; DELETE FROM REFLECTOR_SNAPSHOT_OBJECT; INSERT INTO "
								+ "REFLECTOR_SNAPSHOT SELECT * FROM HEADS; INSERT INTO REFLECTOR_SNAPSHOT_OBJECT "
								+ "SELECT * FROM OBJECTS; COMMIT"),
				output);
	}

	@Test
	@LongFormOnly
	void aCopyThatTakesThePlaceOfASqliteFile(CapturedOutput output) throws Exception {
		Path copy = this.directory.resolve("copy.db");
		putBack(file().toString(), () -> execute("jdbc:sqlite:" + file(), "VACUUM INTO '" + copy + "'"), () -> {
			for (String suffix : List.of("-wal", "-shm")) {
				Files.delete(this.directory.resolve(file().getFileName() + suffix));
			}
			Files.move(copy, file(), StandardCopyOption.REPLACE_EXISTING);
		}, output);
	}

	@Test
	@LongFormOnly
	void aBackupThatIsRestoredIntoASqliteFile(CapturedOutput output) throws Exception {
		Path copy = this.directory.resolve("copy.db");
		putBack(file().toString(), () -> execute("jdbc:sqlite:" + file(), "backup to " + copy),
				() -> execute("jdbc:sqlite:" + file(), "restore from " + copy), output);
	}

	@Test
	@LongFormOnly
	void aStandbyWithoutTheLastCommitsIsPromoted(CapturedOutput output) throws Exception {
		PostgresServer primary = PostgresServer.get();
		String database = primary.newDatabase();
		PostgresServer standby = primary.standby();
		String name = database.replaceAll(".*/|\\?.*", "");
		String both = database.replace("127.0.0.1:" + primary.port(),
				"127.0.0.1:" + primary.port() + ",127.0.0.1:" + standby.port()) + "&targetServerType=primary";
		String copy = PostgresServer.url(standby.port(), name);
		try {
			putBack(both, () -> {
				await().ignoreExceptions()
					.untilAsserted(() -> assertThat(StoredMirror.read(copy, false).objects())
						.isEqualTo(MirrorApplication.contentOf(this.widgets)));
				standby.stop();
			}, () -> {
				primary.stop();
				standby.start();
				standby.promote();
			}, output);
		}
		finally {
			primary.start();
		}
	}

	private void putBack(String place, Step dump, Step restore, CapturedOutput output) throws Exception {
		create("gone");
		try (MirrorApplication application = start(place)) {
			awaitStoredAll(application, place);
			dump.run();
			create("lost");
			change("a", 17);
			this.widgets.delete("default", "gone");
			awaitStoredAll(application, place);
			restore.run();
			assertThat(StoredMirror.read(place, false).objects()).as("what was put back")
				.containsKey("default/gone")
				.doesNotContainKey("default/lost");
			create("d");
			awaitStoredAll(application, place);
			assertThat(StoredMirror.read(place, false).cursor())
				.isEqualTo(Long.parseLong(this.widgets.resourceVersion()));
			assertThat(output).contains("Reflector 'widgets': The snapshot of 'widgets' in ")
				.contains("is not the one that this process stored last: the ")
				.contains(" was put back to an earlier state, or has lost commits. Everything that differs is "
						+ "written again");
			assertThat(application.heard.mistakes).isEmpty();
		}
		this.widgets.delete("default", "lost");
		change("a", 18);
		try (MirrorApplication next = start(place)) {
			await().until(() -> kinds(next).equals(List.of("-lost", "~a>a")));
		}
	}

	private MirrorApplication start(String place) {
		return place.startsWith("jdbc:") ? applicationWith(place) : application();
	}

	/**
	 * Waits until listeners have received all changes, and the store equals the server.
	 */
	private void awaitStoredAll(MirrorApplication application, String place) {
		application.awaitEqualTo(this.widgets);
		await().pollInterval(Duration.ofMillis(50)).untilAsserted(() -> {
			StoredMirror stored = StoredMirror.read(place, false);
			assertThat(stored.objects()).isEqualTo(MirrorApplication.contentOf(this.widgets));
			assertThat(stored.announced()).isEmpty();
		});
	}

	private static void execute(String url, String sql) throws SQLException {
		try (Connection connection = DriverManager.getConnection(url);
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	/** A step of an operator. */
	@FunctionalInterface
	private interface Step {

		void run() throws Exception;

	}

}
