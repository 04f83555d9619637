package dev.reflector.snapshot.jdbc;

import java.io.ByteArrayOutputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.reflector.cache.snapshot.SnapshotException;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * The differences between the supported databases.
 */
enum Dialect {

	SQLITE, POSTGRESQL, H2;

	private static final int SQLITE_CORRUPT = 11;

	private static final int SQLITE_NOT_A_DATABASE = 26;

	private static final int H2_FILE_CORRUPTED = 90030;

	/**
	 * Number of bytes in one piece of an entry. H2 stores at most 1,048,576 bytes in one
	 * value.
	 */
	private static final int H2_PIECE = 1_000_000;

	private static final String POSTGRESQL_CORRUPT = "XX";

	/**
	 * Returns the dialect of the database of a {@link DataSource}.
	 * @param product the name of the database, from its driver
	 * @return the dialect
	 * @throws SnapshotException if the database is not supported
	 */
	static Dialect of(String product) {
		return Stream.of(POSTGRESQL, H2)
			.filter((dialect) -> dialect.name().equalsIgnoreCase(product))
			.findFirst()
			.orElseThrow(() -> new SnapshotException(
					"Snapshots cannot be kept in the DataSource of the application, which is of " + product
							+ ": of databases with a DataSource PostgreSQL and H2 are supported. Set "
							+ "'reflector.snapshot.jdbc.file' to keep them in a SQLite file instead",
					null));
	}

	/**
	 * Returns the lock that a process must hold to write to the database of a DataSource.
	 */
	WriterLock lock(TimedDataSource dataSource, String prefix) {
		return (this == H2) ? new RowLock(dataSource, prefix) : new AdvisoryLock(dataSource, prefix);
	}

	/**
	 * Whether the database of a DataSource runs inside this process and is lost when the
	 * process ends.
	 */
	boolean isEmbedded(String url) {
		return this == H2 && url.startsWith("jdbc:h2:mem:");
	}

	/**
	 * Called after the first connection. Warns if the database may close before the last
	 * changes are stored.
	 */
	void connected(DataSource dataSource, String url) {
		if (this == H2) {
			H2File.warnIfHidden(dataSource, url);
		}
	}

	/**
	 * Called after a commit. Makes H2 write the commit to the disk now. Otherwise, H2
	 * would write it only some time later.
	 */
	void committed(JdbcOperations jdbc) {
		if (this == H2) {
			jdbc.execute("CHECKPOINT SYNC");
		}
	}

	/**
	 * Returns the isolation level at which a transaction sees all tables as of one
	 * moment.
	 */
	int oneMoment() {
		return (this == H2) ? Connection.TRANSACTION_SERIALIZABLE : Connection.TRANSACTION_REPEATABLE_READ;
	}

	/** Returns the resource with the statements that create the tables. */
	String schema() {
		return "dev/reflector/snapshot/jdbc/schema-" + name().toLowerCase(Locale.ROOT) + ".sql";
	}

	/**
	 * Returns the query that reads the version of the tables. Before the tables are
	 * created, the query returns no row or 0.
	 */
	String version(String prefix) {
		return (this == SQLITE) ? "PRAGMA user_version" : "SELECT MAX(VERSION) FROM " + prefix + "_VERSION";
	}

	/**
	 * Returns a statement that adds a row, or replaces the row with the same key.
	 * {@code key}, {@code columns} and {@code values} are parts of SQL: lists whose items
	 * are separated by a comma and a space.
	 */
	String upsert(String table, String key, String columns, String values) {
		if (this == H2) {
			return "MERGE INTO " + table + " (" + columns + ") KEY (" + key + ") VALUES (" + values + ")";
		}
		StringBuilder assignments = new StringBuilder();
		for (String column : columns.split(", ")) {
			if (!key.contains(column)) {
				assignments.append(assignments.isEmpty() ? "" : ", ").append(column + " = excluded." + column);
			}
		}
		return "INSERT INTO " + table + " (" + columns + ") VALUES (" + values + ") ON CONFLICT (" + key
				+ ") DO UPDATE SET " + assignments;
	}

	/**
	 * Binds an entry to a parameter. For H2, the entry is split into pieces, because H2
	 * cannot store a large entry in one value, and its BLOBs can be missing after a
	 * crash. All pieces are full except the last.
	 */
	void bind(PreparedStatement statement, int parameter, byte[] entry) throws SQLException {
		if (this != H2) {
			statement.setBytes(parameter, entry);
			return;
		}
		Object[] pieces = new Object[Math.max(1, (entry.length + H2_PIECE - 1) / H2_PIECE)];
		for (int piece = 0; piece < pieces.length; piece++) {
			int start = piece * H2_PIECE;
			pieces[piece] = Arrays.copyOfRange(entry, start, Math.min(entry.length, start + H2_PIECE));
		}
		statement.setObject(parameter, pieces);
	}

	/**
	 * Returns the entry in a column of a row, or {@code null} if the column contains no
	 * entry.
	 */
	byte @Nullable [] entry(ResultSet row, int column) throws SQLException {
		if (this != H2) {
			return row.getBytes(column);
		}
		Object[] pieces = (Object[]) row.getArray(column).getArray();
		if (pieces.length == 1) {
			return (byte[]) pieces[0];
		}
		ByteArrayOutputStream entry = new ByteArrayOutputStream();
		for (Object piece : pieces) {
			if (piece == null) {
				return null;
			}
			entry.writeBytes((byte[]) piece);
		}
		return entry.toByteArray();
	}

	/** Returns the expression for the length of an entry in bytes. */
	String length(String entry) {
		return (this == H2) ? "(CARDINALITY(" + entry + ") - 1) * " + H2_PIECE + " + OCTET_LENGTH(" + entry
				+ "[CARDINALITY(" + entry + ")])" : "OCTET_LENGTH(" + entry + ")";
	}

	/** Whether a failure means that the files of the database are damaged. */
	boolean isDamage(SQLException failure) {
		return switch (this) {
			case SQLITE -> failure.getErrorCode() == SQLITE_CORRUPT || failure.getErrorCode() == SQLITE_NOT_A_DATABASE;
			case H2 -> failure.getErrorCode() == H2_FILE_CORRUPTED;
			case POSTGRESQL -> failure.getSQLState() != null && failure.getSQLState().startsWith(POSTGRESQL_CORRUPT)
					&& !failure.getSQLState().equals("XX000");
		};
	}

}
