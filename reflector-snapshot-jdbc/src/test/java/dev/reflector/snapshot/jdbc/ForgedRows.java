package dev.reflector.snapshot.jdbc;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;

import dev.reflector.ResourceKey;
import org.junit.jupiter.api.function.Executable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rows that were changed by an attacker who knows the format: each field of an entry and
 * of a head, with a matching checksum.
 *
 * @param connect connects to the database
 * @param dialect the dialect of the database
 * @param prefix the name of the table of heads
 */
record ForgedRows(Connect connect, Dialect dialect, String prefix) {

	/**
	 * The index of the first text in an entry, after the checksum and the announced flag.
	 */
	private static final int FIRST_TEXT = Integer.BYTES + 1;

	private static final String[] TEXTS = { "cluster", "namespace", "name", "uid", "resource version" };

	private static final String[] HEAD = { "COMMIT_ID", "APPLICATION", "CLUSTER", "FORMAT", "SHAPE", "RESOURCE_TYPE",
			"LABEL_SELECTOR", "FIELD_SELECTOR", "NAMESPACES", "SERVER", "CURSORS", "COMMITTED_AT" };

	Map<String, Executable> of(ResourceKey key) {
		Map<String, Executable> forgeries = new LinkedHashMap<>();
		for (int value : new int[] { 1, 2 }) {
			entry(forgeries, key, "announced is " + value, (entry) -> entry.put(Integer.BYTES, (byte) value));
		}
		for (int text = 0; text < TEXTS.length; text++) {
			int number = text;
			for (int length : new int[] { -1, 1, Integer.MAX_VALUE }) {
				entry(forgeries, key, "the length of the " + TEXTS[text] + " is " + length,
						(entry) -> entry.putInt(at(entry, number), length));
			}
			for (int value : new int[] { 0xff, 'x' }) {
				entry(forgeries, key, "the " + TEXTS[text] + " begins with " + value,
						(entry) -> entry.put(at(entry, number) + Integer.BYTES, (byte) value));
			}
		}
		for (int length : new int[] { 0, 4, 6, 25 }) {
			entry(forgeries, key, "it ends after " + length,
					(entry) -> ByteBuffer.wrap(Arrays.copyOf(entry.array(), length)));
		}
		for (String column : HEAD) {
			boolean number = column.equals("FORMAT") || column.equals("COMMITTED_AT");
			for (Object value : number ? new Object[] { -1 } : new Object[] { "%zz", "=%" }) {
				forgeries.put(column + " is " + value, () -> head(column, value));
			}
			if (!column.equals("COMMITTED_AT") && !column.equals("COMMIT_ID")) {
				// without COMMIT_ID there is no head, and COMMITTED_AT must not be null
				forgeries.put(column + " is missing", () -> head(column, null));
			}
		}
		return forgeries;
	}

	private void entry(Map<String, Executable> forgeries, ResourceKey key, String what,
			UnaryOperator<ByteBuffer> forgery) {
		forgeries.put(what, () -> forge(key, forgery));
	}

	/** Returns the index of the length of a text. */
	private static int at(ByteBuffer entry, int text) {
		int at = FIRST_TEXT;
		for (int i = 0; i < text; i++) {
			at += Integer.BYTES + entry.getInt(at);
		}
		return at;
	}

	private void forge(ResourceKey key, UnaryOperator<ByteBuffer> forgery) throws SQLException {
		String where = " WHERE SNAPSHOT_ID = (SELECT ID FROM " + this.prefix
				+ " WHERE REFLECTOR = 'pods') AND NAMESPACE = ? AND NAME = ?";
		try (Connection connection = this.connect.open();
				PreparedStatement query = connection
					.prepareStatement("SELECT ENTRY FROM " + this.prefix + "_OBJECT" + where);
				PreparedStatement update = connection
					.prepareStatement("UPDATE " + this.prefix + "_OBJECT SET ENTRY = ?" + where)) {
			query.setString(1, key.namespace());
			query.setString(2, key.name());
			byte[] forged;
			try (ResultSet row = query.executeQuery()) {
				assertThat(row.next()).isTrue();
				forged = forgery.apply(ByteBuffer.wrap(this.dialect.entry(row, 1))).array();
			}
			if (forged.length >= Integer.BYTES) {
				CRC32C sum = new CRC32C();
				sum.update(forged, Integer.BYTES, forged.length - Integer.BYTES);
				ByteBuffer.wrap(forged).putInt(0, (int) sum.getValue());
			}
			this.dialect.bind(update, 1, forged);
			update.setString(2, key.namespace());
			update.setString(3, key.name());
			assertThat(update.executeUpdate()).isEqualTo(1);
		}
	}

	private void head(String changed, Object value) throws SQLException {
		String columns = String.join(", ", HEAD);
		try (Connection connection = this.connect.open();
				PreparedStatement query = connection
					.prepareStatement("SELECT " + columns + " FROM " + this.prefix + " WHERE REFLECTOR = 'pods'");
				PreparedStatement update = connection.prepareStatement(
						"UPDATE " + this.prefix + " SET " + changed + " = ?, CHECKSUM = ? WHERE REFLECTOR = 'pods'")) {
			Object[] values = new Object[HEAD.length];
			try (ResultSet row = query.executeQuery()) {
				assertThat(row.next()).isTrue();
				for (int i = 0; i < HEAD.length; i++) {
					boolean number = HEAD[i].equals("FORMAT");
					values[i] = !HEAD[i].equals(changed) ? row.getObject(i + 1)
							: (value == null && number) ? Integer.valueOf(0) : value;
				}
			}
			update.setObject(1, value);
			update.setLong(2, SnapshotRows.checksum(values));
			assertThat(update.executeUpdate()).isEqualTo(1);
		}
	}

	/** Connects to a database. */
	interface Connect {

		Connection open() throws SQLException;

	}

}
