package dev.reflector.snapshot.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

import dev.reflector.ResourceKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rows that differ from the stored ones.
 */
final class DamagedRows {

	private DamagedRows() {
	}

	static void damage(Connection connection, String prefix, String content, ResourceKey key) throws SQLException {
		try (PreparedStatement update = connection.prepareStatement(
				"UPDATE " + prefix + "_OBJECT SET ENTRY = " + content + " WHERE NAMESPACE = ? AND NAME = ?")) {
			update.setString(1, key.namespace());
			update.setString(2, key.name());
			assertThat(update.executeUpdate()).isEqualTo(1);
		}
	}

}
