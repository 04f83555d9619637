package dev.reflector.snapshot.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;

import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tables that a later release has changed are neither read nor written, and those of
 * before there were versions are.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TableVersionTests {

	private static final String TABLE = "REFLECTOR_SNAPSHOT_VERSION";

	@TempDir
	Path directory;

	@Test
	void sqlite() throws SQLException {
		Path file = this.directory.resolve("snapshots.db");
		check(file.toString(), "jdbc:sqlite:" + file, "PRAGMA user_version = 2", "PRAGMA user_version = 0");
	}

	@Test
	void h2() throws SQLException {
		String url = "jdbc:h2:file:" + this.directory.resolve("snapshots") + ";DB_CLOSE_ON_EXIT=FALSE";
		check(url, url, "UPDATE " + TABLE + " SET VERSION = 2", "DROP TABLE " + TABLE);
	}

	@Test
	void postgres() throws Exception {
		String url = PostgresServer.get().newDatabase();
		check(url, url, "UPDATE " + TABLE + " SET VERSION = 2", "DROP TABLE " + TABLE);
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

	private static void refused(ThrowingCallable use) {
		assertThatExceptionOfType(SnapshotException.class).isThrownBy(use)
			.withMessageStartingWith("Snapshots in ")
			.withMessageContaining("are in tables of version 2, which a later release has made, and this one knows "
					+ "only version 1. Run that release again, or set ");
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
