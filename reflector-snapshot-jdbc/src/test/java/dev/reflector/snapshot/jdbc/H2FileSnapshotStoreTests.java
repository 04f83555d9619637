package dev.reflector.snapshot.jdbc;

import java.util.Map;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

import dev.reflector.ResourceKey;
import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.test.snapshot.SnapshotStoreCompatibilityKit;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * The store in H2, in a file, held to what the port promises.
 */
@LongFormOnly
class H2FileSnapshotStoreTests extends SnapshotStoreCompatibilityKit {

	@TempDir
	Path directory;

	@Override
	protected SnapshotStore openStore() {
		return JdbcSnapshotStore.of(new DriverManagerDataSource(url()), "SNAPSHOTS", DatabaseInitializationMode.ALWAYS);
	}

	@Override
	protected void damage(String reflector, ResourceKey key) throws SQLException {
		try (Connection connection = DriverManager.getConnection(url())) {
			DamagedRows.damage(connection, "SNAPSHOTS", "X'00'", key);
		}
	}

	private String url() {
		return "jdbc:h2:file:" + this.directory.resolve("snapshots")
				+ ";DB_CLOSE_ON_EXIT=FALSE;USER=sa;PASSWORD=password";
	}

	@Override
	protected Map<String, Executable> forgeries(String reflector, ResourceKey key) {
		return new ForgedRows(() -> DriverManager.getConnection(url()), Dialect.H2, "SNAPSHOTS").of(key);
	}

}
