package dev.reflector.snapshot.jdbc;

import java.util.Map;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;

import dev.reflector.ResourceKey;
import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.test.snapshot.SnapshotStoreCompatibilityKit;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * The store in a SQLite file, held to what the port promises.
 */
class SqliteSnapshotStoreTests extends SnapshotStoreCompatibilityKit {

	@TempDir
	Path directory;

	@Override
	protected SnapshotStore openStore() {
		return JdbcSnapshotStore.of(this.directory.resolve("snapshots.db"));
	}

	@Override
	protected void damage(String reflector, ResourceKey key) throws Exception {
		try (Connection connection = DriverManager
			.getConnection("jdbc:sqlite:" + this.directory.resolve("snapshots.db"));
				PreparedStatement update = connection
					.prepareStatement("UPDATE REFLECTOR_SNAPSHOT_OBJECT SET ENTRY = X'00' WHERE NAME = ?")) {
			update.setString(1, key.name());
			update.executeUpdate();
		}
	}

	@Override
	protected Map<String, Executable> forgeries(String reflector, ResourceKey key) {
		return new ForgedRows(
				() -> DriverManager.getConnection("jdbc:sqlite:" + this.directory.resolve("snapshots.db")),
				Dialect.SQLITE, "REFLECTOR_SNAPSHOT")
			.of(key);
	}

}
