package dev.reflector.snapshot.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

import dev.reflector.ResourceKey;
import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.test.snapshot.SnapshotStoreCompatibilityKit;
import org.junit.jupiter.api.io.TempDir;

/**
 * The store in a SQLite file, held to what the port promises.
 */
class SqliteSnapshotStoreTests extends SnapshotStoreCompatibilityKit {

	@TempDir
	Path directory;

	@Override
	protected SnapshotStore openStore() {
		return JdbcSnapshotStore.of(file());
	}

	@Override
	protected void damage(String reflector, ResourceKey key) throws SQLException {
		try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file())) {
			DamagedRows.damage(connection, "REFLECTOR_SNAPSHOT", "X'00'", key);
		}
	}

	private Path file() {
		return this.directory.resolve("folder/snapshots.db");
	}

}
