package dev.reflector.snapshot.jdbc;

import java.nio.file.Path;
import java.time.Clock;

import javax.sql.DataSource;

import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotStore;

import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.util.Assert;

/**
 * A store of snapshots in a SQL database: in its own SQLite file, or in PostgreSQL or H2
 * through a {@link DataSource}. Other databases are refused.
 * <p>
 * With SQLite or H2, only one process at a time can write to the database. With
 * PostgreSQL, several processes can write at the same time, but only one of them can
 * write the snapshot of a given reflector. While a store has claimed any snapshot, it
 * holds one connection of the {@code DataSource} for all its claims.
 *
 * @since 0.1.0
 */
public final class JdbcSnapshotStore implements SnapshotStore, AutoCloseable {

	/**
	 * The default name of the first table. The names of the other tables begin with it.
	 */
	public static final String DEFAULT_TABLE_PREFIX = DatabaseSchema.PREFIX;

	private final SnapshotDatabase database;

	private JdbcSnapshotStore(SnapshotDatabase database) {
		this.database = database;
	}

	/**
	 * Creates a store in a SQLite file. The file is created when a snapshot is first
	 * opened, and only the current user can read it. Needs {@code org.xerial:sqlite-jdbc}
	 * and a local disk.
	 * @param file the file
	 * @return the store, which the caller must close
	 */
	public static JdbcSnapshotStore of(Path file) {
		return new JdbcSnapshotStore(new SqliteDatabase(file));
	}

	/**
	 * Creates a store in the database of a {@link DataSource}. The caller closes the
	 * {@code DataSource}. An H2 file is refused unless its URL has
	 * {@code DB_CLOSE_ON_EXIT=FALSE}.
	 * @param dataSource a DataSource of PostgreSQL or H2, with room for one more
	 * connection than the application uses at the same time
	 * @param tablePrefix the prefix of the names of all tables; one table has exactly
	 * this name. The name of a schema and a dot may precede the prefix
	 * @param initializeSchema whether to create missing tables
	 * @return the store, which the caller must close
	 */
	public static JdbcSnapshotStore of(DataSource dataSource, String tablePrefix,
			DatabaseInitializationMode initializeSchema) {
		Assert.isTrue(tablePrefix.matches("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?"),
				() -> "'" + tablePrefix + "' cannot be the name of a table");
		H2File.check(dataSource);
		return new JdbcSnapshotStore(new ServerDatabase(dataSource, tablePrefix, initializeSchema));
	}

	@Override
	public Snapshot open(String reflector) {
		this.database.open();
		return new JdbcSnapshot(this.database, reflector, Clock.systemUTC());
	}

	@Override
	public String location() {
		return this.database.location();
	}

	/**
	 * Returns whether the store is a SQLite file. Which hosts can reach a
	 * {@link DataSource} is unknown.
	 * @return whether the store is local
	 */
	@Override
	public boolean isLocal() {
		return this.database.isLocal();
	}

	/** Gives up all claims, and closes the connections of the store. */
	@Override
	public void close() {
		this.database.close();
	}

	@Override
	public String toString() {
		return "Snapshots in " + location();
	}

}
