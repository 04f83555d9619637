package dev.reflector.snapshot.jdbc;

import java.nio.file.Path;
import java.time.Clock;

import javax.sql.DataSource;

import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotStore;

import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.util.Assert;

/**
 * Keeps snapshots in a SQL database: in its own SQLite file, or in PostgreSQL or H2
 * through a {@link DataSource}. Any other database is refused.
 * <p>
 * In a SQLite file, and in H2, one process writes the snapshots of all reflectors; in
 * PostgreSQL, one process for each reflector. A claim holds one connection of the
 * {@code DataSource}, the same for all reflectors of a store.
 *
 * @since 0.1.0
 */
public final class JdbcSnapshotStore implements SnapshotStore, AutoCloseable {

	/** What the tables are called, and what their names begin with. */
	public static final String DEFAULT_TABLE_PREFIX = DatabaseSchema.PREFIX;

	private final SnapshotDatabase database;

	private JdbcSnapshotStore(SnapshotDatabase database) {
		this.database = database;
	}

	/**
	 * A store in a SQLite file, which is made when it is first opened, for the current
	 * user alone. Needs {@code org.xerial:sqlite-jdbc}, and a local disk.
	 * @param file the file
	 * @return the store, to be closed by the caller
	 */
	public static JdbcSnapshotStore of(Path file) {
		return new JdbcSnapshotStore(new SqliteDatabase(file));
	}

	/**
	 * A store in the database of a {@link DataSource}, which the caller closes. A file of
	 * H2 needs {@code DB_CLOSE_ON_EXIT=FALSE} in its URL, and is refused without it.
	 * @param dataSource of PostgreSQL or H2, with room for one connection more than those
	 * that are used at the same time
	 * @param tablePrefix the name of one table, and what the names of the others begin
	 * with; a schema may stand in front of it
	 * @param initializeSchema whether to make the tables when they are missing
	 * @return the store, to be closed by the caller
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

	/** Gives up all claims, and closes what the store has opened. */
	@Override
	public void close() {
		this.database.close();
	}

	@Override
	public String toString() {
		return "Snapshots in " + location();
	}

}
