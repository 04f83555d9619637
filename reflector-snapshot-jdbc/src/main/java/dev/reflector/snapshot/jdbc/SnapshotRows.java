package dev.reflector.snapshot.jdbc;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.CRC32C;

import dev.reflector.cache.snapshot.SnapshotCorruptException;
import dev.reflector.cache.snapshot.SnapshotHead;
import dev.reflector.cache.snapshot.SnapshotHeader;
import dev.reflector.cache.snapshot.StoredObject;
import org.jspecify.annotations.Nullable;

/**
 * Converts the heads of snapshots to the columns of a row and back, and rows to objects.
 * Each row has a checksum over the whole row.
 */
final class SnapshotRows {

	/**
	 * The cluster of each head and object. It is reserved for support of several
	 * clusters, and is empty until then.
	 */
	static final String CLUSTER = "";

	/**
	 * Number of the column with the entry. A name would be slower, because a driver looks
	 * up a name for every row.
	 */
	private static final int ENTRY = 3;

	private SnapshotRows() {
	}

	/** Returns the values of a head, in the order of {@link SnapshotSql}. */
	static List<Object> values(SnapshotHead head) {
		SnapshotHeader header = head.header();
		List<Object> values = new ArrayList<>(List.of(head.commit(), header.application(), CLUSTER, header.format(),
				header.shape(), header.resourceType(), header.labelSelector(), header.fieldSelector(),
				joined(header.namespaces()), header.server(), joined(head.cursors()),
				head.committedAt().toEpochMilli()));
		values.add(checksum(values.toArray()));
		return values;
	}

	static SnapshotHead head(ResultSet row) throws SQLException {
		Object[] values = { row.getString("COMMIT_ID"), row.getString("APPLICATION"), row.getString("CLUSTER"),
				row.getInt("FORMAT"), row.getString("SHAPE"), row.getString("RESOURCE_TYPE"),
				row.getString("LABEL_SELECTOR"), row.getString("FIELD_SELECTOR"), row.getString("NAMESPACES"),
				row.getString("SERVER"), row.getString("CURSORS"), row.getLong("COMMITTED_AT") };
		if (checksum(values) != row.getLong("CHECKSUM") || !CLUSTER.equals(values[2])) {
			throw new SnapshotCorruptException("The head of a snapshot does not match its checksum", null);
		}
		try {
			SnapshotHeader header = new SnapshotHeader((int) values[3], text(values[4]), text(values[5]),
					text(values[6]), text(values[7]), List.copyOf(separated(text(values[8])).keySet()), text(values[9]),
					text(values[1]));
			return new SnapshotHead(text(values[0]), header, separated(text(values[10])),
					Instant.ofEpochMilli((long) values[11]));
		}
		catch (RuntimeException ex) {
			// the checksum is valid, so a program has changed the row and its checksum
			throw new SnapshotCorruptException("The head of a snapshot matches its checksum, but is malformed", null);
		}
	}

	private static String text(@Nullable Object value) {
		return (String) Objects.requireNonNull(value);
	}

	/** Returns the object of a row with the columns {@code NAMESPACE, NAME, ENTRY}. */
	static StoredObject object(Dialect dialect, ResultSet row) throws SQLException {
		String namespace = row.getString(1);
		String name = row.getString(2);
		byte[] entry = dialect.entry(row, ENTRY);
		StoredObject object = (entry != null) ? SnapshotEntry.object(entry) : null;
		if (object == null || !object.key().namespace().equals(namespace) || !object.key().name().equals(name)) {
			throw new SnapshotCorruptException("The stored " + namespace + "/" + name
					+ " does not match its checksum, is malformed, or is another object", null);
		}
		return object;
	}

	/**
	 * Returns the checksum of a row. The bytes of each value follow their length, so that
	 * different rows never give the same bytes.
	 */
	static long checksum(@Nullable Object... values) {
		CRC32C checksum = new CRC32C();
		for (Object value : values) {
			byte[] bytes = String.valueOf(value).getBytes(StandardCharsets.UTF_8);
			for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
				checksum.update(bytes.length >>> shift);
			}
			checksum.update(bytes);
		}
		return checksum.getValue();
	}

	private static String joined(List<String> names) {
		return String.join("&", names.stream().map(SnapshotRows::encoded).toList());
	}

	/**
	 * Returns cursors as human-readable text, encoded like a web form:
	 * {@code default=17&test=23}.
	 */
	private static String joined(Map<String, String> cursors) {
		return String.join("&",
				new TreeMap<>(cursors).entrySet()
					.stream()
					.map((cursor) -> encoded(cursor.getKey()) + "=" + encoded(cursor.getValue()))
					.toList());
	}

	/**
	 * Reads the text that {@link #joined} has made. Returns the value of each name; the
	 * value is empty if the text has none.
	 */
	private static Map<String, String> separated(String text) {
		Map<String, String> values = new LinkedHashMap<>();
		for (String value : text.isEmpty() ? new String[0] : text.split("&")) {
			int equals = value.indexOf('=');
			values.put(decoded((equals < 0) ? value : value.substring(0, equals)),
					(equals < 0) ? "" : decoded(value.substring(equals + 1)));
		}
		return values;
	}

	private static String encoded(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8);
	}

	private static String decoded(String text) {
		return URLDecoder.decode(text, StandardCharsets.UTF_8);
	}

}
