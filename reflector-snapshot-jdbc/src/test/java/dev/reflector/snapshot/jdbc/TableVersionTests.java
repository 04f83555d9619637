package dev.reflector.snapshot.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Consumer;

import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that tables that a later release has changed are neither read nor written, and
 * that tables from before there were versions are.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class TableVersionTests {

	private static final String TABLE = "REFLECTOR_SNAPSHOT_VERSION";

	@TempDir
	Path directory;

	@Test
	void sqlite() throws SQLException {
		Path file = this.directory.resolve("snapshots.db");
		check(file.toString(), "jdbc:sqlite:" + file, "PRAGMA user_version = 3", "PRAGMA user_version = 0");
	}

	@Test
	void h2() throws SQLException {
		String url = "jdbc:h2:file:" + this.directory.resolve("snapshots") + ";DB_CLOSE_ON_EXIT=FALSE";
		check(url, url, "UPDATE " + TABLE + " SET VERSION = 3", "DROP TABLE " + TABLE);
	}

	@Test
	void postgres() throws Exception {
		String url = PostgresServer.get().newDatabase();
		check(url, url, "UPDATE " + TABLE + " SET VERSION = 3", "DROP TABLE " + TABLE);
	}

	private void check(String place, String url, String later, String before) throws SQLException {
		withSnapshot(place, (snapshot) -> {
			assertThat(snapshot.claim()).isTrue();
			snapshot.commit(NumberedCommits.of(1));
		});
		execute(url, later);
		withSnapshot(place, (snapshot) -> {
			refused(snapshot::claim);
			refused(() -> NumberedCommits.lastOf(snapshot));
			refused(snapshot::facts);
		});
		execute(url, before);
		withSnapshot(place, (snapshot) -> {
			assertThat(snapshot.claim()).isTrue();
			assertThat(NumberedCommits.lastOf(snapshot)).isEqualTo(1);
			snapshot.commit(NumberedCommits.of(2));
		});
		// which has given them a version again
		execute(url, later);
		withSnapshot(place, (snapshot) -> refused(snapshot::claim));
	}

	@Test
	void aSqliteFileOfAnEarlierBuildIsSetAside(CapturedOutput output) throws SQLException {
		Path file = this.directory.resolve("snapshots.db");
		earlier(file.toString(), "jdbc:sqlite:" + file, "PRAGMA user_version = 1");
		assertThat(output)
			.contains(file + " cannot be read (an earlier development build has created it). It was moved to " + file
					+ ".old-1; creating a new one");
		assertThat(Path.of(file + ".old-1")).exists();
	}

	@Test
	void tablesOfAnEarlierBuildInH2AreSetAside(CapturedOutput output) throws SQLException {
		String url = "jdbc:h2:file:" + this.directory.resolve("snapshots") + ";DB_CLOSE_ON_EXIT=FALSE";
		String version = "UPDATE " + TABLE + " SET VERSION = 1";
		earlier(url, url, version);
		earlier(url, url, version);
		assertOldTables(url, output);
	}

	@Test
	@LongFormOnly
	void tablesOfAnEarlierBuildInPostgresAreSetAside(CapturedOutput output) throws Exception {
		String url = PostgresServer.get().newDatabase();
		String version = "UPDATE " + TABLE + " SET VERSION = 1";
		earlier(url, url, version);
		earlier(url, url, version);
		assertOldTables(url, output);
	}

	/** Twice: what was set aside first is still there. */
	private static void assertOldTables(String url, CapturedOutput output) throws SQLException {
		assertThat(output).contains("An earlier development build has created the tables REFLECTOR_SNAPSHOT in ")
			.contains("They were renamed to REFLECTOR_SNAPSHOT_OLD, and reflectors start without a snapshot")
			.contains("They were renamed to REFLECTOR_SNAPSHOT_OLD_2, and reflectors start without a snapshot");
		for (String name : List.of("REFLECTOR_SNAPSHOT_OLD", "REFLECTOR_SNAPSHOT_OLD_2")) {
			execute(url, "SELECT 1 FROM " + name + ", " + name + "_OBJECT, " + name + "_VERSION");
		}
	}

	private static void earlier(String place, String url, String version) throws SQLException {
		withSnapshot(place, (snapshot) -> {
			assertThat(snapshot.claim()).isTrue();
			snapshot.commit(NumberedCommits.of(NumberedCommits.lastOf(snapshot) + 1));
		});
		execute(url, "ALTER TABLE REFLECTOR_SNAPSHOT DROP COLUMN COMMIT_ID");
		execute(url, version);
		withSnapshot(place, (snapshot) -> {
			assertThat(snapshot.claim()).isTrue();
			assertThat(NumberedCommits.lastOf(snapshot)).isZero();
			snapshot.commit(NumberedCommits.of(1));
			assertThat(NumberedCommits.lastOf(snapshot)).isEqualTo(1);
		});
	}

	private static void refused(ThrowingCallable use) {
		assertThatExceptionOfType(SnapshotException.class).isThrownBy(use)
			.withMessageStartingWith("Snapshots in ")
			.withMessageContaining("are in tables of version 3, which a later release has created, but this "
					+ "release supports only version 2. Run that release again, or set ");
	}

	private static void withSnapshot(String place, Consumer<Snapshot> use) {
		try (JdbcSnapshotStore store = CommittingProcess.store(place); Snapshot snapshot = store.open("pods")) {
			use.accept(snapshot);
		}
	}

	private static void execute(String url, String sql) throws SQLException {
		try (Connection connection = DriverManager.getConnection(url);
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

}
