package dev.reflector.snapshot.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/**
 * The script that makes the tables, one for each dialect.
 */
final class Schema {

	/** What the tables are called in the scripts. */
	static final String PREFIX = "REFLECTOR_SNAPSHOT";

	/** The version of the tables that the scripts make. */
	static final int VERSION = 1;

	private Schema() {
	}

	static void create(Connection connection, Dialect dialect, String prefix) {
		ClassPathResource script = new ClassPathResource(dialect.schema(), Schema.class.getClassLoader());
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
