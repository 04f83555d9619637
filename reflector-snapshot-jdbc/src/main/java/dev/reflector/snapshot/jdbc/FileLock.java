package dev.reflector.snapshot.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A lock of the operating system on a file beside a SQLite database. There is one lock
 * for all reflectors. The file is an empty SQLite database; while a connection has an
 * exclusive transaction in it, SQLite holds the lock. A lock that Java takes itself would
 * be lost as soon as any code in the process closes the same file.
 */
final class FileLock extends WriterLock {

	private static final int SQLITE_BUSY = 5;

	private final Path file;

	/** The identity of the file to which the connection was made. */
	private @Nullable Object identity;

	FileLock(Path database) {
		this.file = database.resolveSibling(database.getFileName() + ".lock");
	}

	@Override
	Connection connect() throws SQLException {
		SqliteFile.prepare(this.file);
		Connection connection = SqliteFile.connect(this.file, "busy_timeout", "0");
		this.identity = SqliteFile.identity(this.file);
		return connection;
	}

	/** A lock on a file that was removed does not keep other processes out. */
	@Override
	boolean isAlive(Connection connection) throws SQLException {
		return Objects.equals(this.identity, SqliteFile.identity(this.file)) && super.isAlive(connection);
	}

	@Override
	boolean lock(Connection connection, String reflector, boolean others) throws SQLException {
		if (others) {
			return true;
		}
		try (Statement statement = connection.createStatement()) {
			// the database is empty, so nothing needs to be rolled back
			statement.execute("PRAGMA journal_mode = OFF");
			statement.execute("BEGIN EXCLUSIVE");
			return true;
		}
		catch (SQLException ex) {
			if (ex.getErrorCode() == SQLITE_BUSY) {
				return false;
			}
			throw ex;
		}
	}

	@Override
	void unlock(Connection connection, String reflector) {
		// closing the connection releases the lock
	}

	@Override
	void restore(Connection connection) {
		// closing the connection also discards the settings
	}

}
