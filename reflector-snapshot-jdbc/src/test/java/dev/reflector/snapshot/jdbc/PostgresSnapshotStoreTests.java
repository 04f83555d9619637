package dev.reflector.snapshot.jdbc;

import java.util.Map;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import dev.reflector.ResourceKey;
import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import dev.reflector.test.snapshot.SnapshotStoreCompatibilityKit;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import org.springframework.boot.sql.init.DatabaseInitializationMode;

/**
 * The store in PostgreSQL, held to what the port promises. By default, this is shown of
 * SQLite and H2, and of PostgreSQL what only a server can do: {@link PostgresFaultTests}.
 */
@LongFormOnly
class PostgresSnapshotStoreTests extends SnapshotStoreCompatibilityKit {

	private final List<HikariDataSource> pools = new ArrayList<>();

	private String url;

	@BeforeEach
	void newDatabase() throws IOException, InterruptedException, SQLException {
		this.url = PostgresServer.get().newDatabase();
	}

	@AfterEach
	void closePools() {
		this.pools.forEach(HikariDataSource::close);
	}

	@Override
	protected SnapshotStore openStore() {
		HikariDataSource pool = PostgresServer.pool(this.url);
		this.pools.add(pool);
		return JdbcSnapshotStore.of(pool, JdbcSnapshotStore.DEFAULT_TABLE_PREFIX, DatabaseInitializationMode.ALWAYS);
	}

	@Override
	protected void damage(String reflector, ResourceKey key) throws SQLException {
		try (Connection connection = DriverManager.getConnection(this.url)) {
			DamagedRows.damage(connection, "REFLECTOR_SNAPSHOT", "'\\x00'", key);
		}
	}

	@Override
	protected Map<String, Executable> forgeries(String reflector, ResourceKey key) {
		return new ForgedRows(() -> DriverManager.getConnection(this.url), Dialect.POSTGRESQL, "REFLECTOR_SNAPSHOT")
			.of(key);
	}

}
