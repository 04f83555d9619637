package dev.reflector.snapshot.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/**
 * The scripts that create the tables, one for each dialect.
 */
final class DatabaseSchema {

	/** The prefix of the tables' names in the scripts. */
	static final String PREFIX = "REFLECTOR_SNAPSHOT";

	/**
	 * The version of the tables that the scripts create. Only builds before the first
	 * release have created tables of an earlier version.
	 */
	static final int VERSION = 2;

	/** PostgreSQL's SQL state for a user who lacks a right. */
	private static final String NO_RIGHT = "42501";

	private static final List<String> TABLES = List.of("_VERSION", "_OBJECT", "");

	private DatabaseSchema() {
	}

	/** Whether there are tables of an earlier version. */
	static boolean isOutdated(JdbcOperations jdbc, String prefix) {
		return isThere(jdbc, "1", prefix) && !isThere(jdbc, "COMMIT_ID", prefix) && !isLater(jdbc, prefix + "_VERSION");
	}

	private static boolean isLater(JdbcOperations jdbc, String table) {
		Integer version = isThere(jdbc, "1", table)
				? jdbc.queryForObject("SELECT MAX(VERSION) FROM " + table, Integer.class) : null;
		return version != null && version > VERSION;
	}

	private static boolean isThere(JdbcOperations jdbc, String column, String table) {
		try {
			jdbc.execute("SELECT " + column + " FROM " + table + " WHERE 1 = 0");
			return true;
		}
		catch (BadSqlGrammarException ex) {
			SQLException refusal = ex.getSQLException();
			if (refusal != null && NO_RIGHT.equals(refusal.getSQLState())) {
				// the table is there, but this user may not read it
				throw ex;
			}
			return false;
		}
	}

	/** Whether there are tables of this version. */
	static boolean isThere(JdbcOperations jdbc, String prefix) {
		return isThere(jdbc, "COMMIT_ID", prefix + ", " + prefix + "_OBJECT, " + prefix + "_VERSION");
	}

	/**
	 * Renames the tables of an earlier version to the first unused names.
	 * @return the new name of the first table; the other names begin with it
	 */
	static String moveAside(JdbcOperations jdbc, String prefix) {
		String old = "_OLD";
		for (int number = 2; isAnyThere(jdbc, prefix + old); number++) {
			old = "_OLD_" + number;
		}
		String name = prefix.substring(prefix.indexOf('.') + 1) + old;
		for (String suffix : TABLES) {
			if (isThere(jdbc, "1", prefix + suffix)) {
				jdbc.execute("ALTER TABLE " + prefix + suffix + " RENAME TO " + name + suffix);
			}
		}
		return name;
	}

	private static boolean isAnyThere(JdbcOperations jdbc, String prefix) {
		return TABLES.stream().anyMatch((suffix) -> isThere(jdbc, "1", prefix + suffix));
	}

	static void create(Connection connection, Dialect dialect, String prefix) {
		ClassPathResource script = new ClassPathResource(dialect.schema(), DatabaseSchema.class.getClassLoader());
		try {
			String statements = script.getContentAsString(StandardCharsets.UTF_8).replace(PREFIX, prefix);
			ScriptUtils.executeSqlScript(connection,
					new ByteArrayResource(statements.getBytes(StandardCharsets.UTF_8), dialect.schema()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
