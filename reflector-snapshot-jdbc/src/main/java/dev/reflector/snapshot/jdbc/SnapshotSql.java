package dev.reflector.snapshot.jdbc;

/**
 * The SQL statements for one dialect and one prefix of the tables.
 */
final class SnapshotSql {

	private static final String HEAD = "COMMIT_ID, APPLICATION, CLUSTER, FORMAT, SHAPE, RESOURCE_TYPE, LABEL_SELECTOR, "
			+ "FIELD_SELECTOR, NAMESPACES, SERVER, CURSORS, COMMITTED_AT, CHECKSUM";

	private static final String OBJECT = "NAMESPACE, NAME, ENTRY";

	private static final String OF_REFLECTOR = " WHERE REFLECTOR = ?";

	private static final String COMMITTED = " AND COMMITTED_AT IS NOT NULL";

	private static final String OF_SNAPSHOT = " WHERE SNAPSHOT_ID = ?";

	final Dialect dialect;

	final String raiseEpoch;

	final String insertReflector;

	final String epoch;

	final String commitHead;

	final String head;

	final String objects;

	final String size;

	final String upsertObject;

	final String deleteObject;

	final String rename;

	final String id;

	final String committedId;

	final String checkEpoch;

	final String version;

	SnapshotSql(Dialect dialect, String prefix) {
		this.dialect = dialect;
		String objects = prefix + "_OBJECT";
		this.raiseEpoch = "UPDATE " + prefix + " SET EPOCH = EPOCH + 1" + OF_REFLECTOR;
		this.insertReflector = "INSERT INTO " + prefix + " (REFLECTOR, EPOCH, COMMIT_ID) VALUES (?, ?, '')";
		this.epoch = "SELECT EPOCH FROM " + prefix + OF_REFLECTOR;
		this.checkEpoch = "UPDATE " + prefix + " SET EPOCH = EPOCH" + OF_REFLECTOR + " AND EPOCH = ?";
		this.version = dialect.version(prefix);
		this.id = "SELECT ID FROM " + prefix + OF_REFLECTOR;
		this.committedId = this.id + COMMITTED;
		this.commitHead = "UPDATE " + prefix + " SET " + HEAD.replace(",", " = ?,") + " = ?" + OF_REFLECTOR
				+ " AND EPOCH = ? AND COMMIT_ID = ?";
		this.head = "SELECT ID, " + HEAD + " FROM " + prefix + OF_REFLECTOR + COMMITTED;
		this.objects = "SELECT " + OBJECT + " FROM " + objects + OF_SNAPSHOT;
		this.size = "SELECT COUNT(*), COALESCE(SUM(" + dialect.length("ENTRY") + "), 0) FROM " + objects + OF_SNAPSHOT;
		this.upsertObject = dialect.upsert(objects, "SNAPSHOT_ID, CLUSTER, NAMESPACE, NAME",
				"SNAPSHOT_ID, CLUSTER, " + OBJECT, "?, '" + SnapshotRows.CLUSTER + "', ?, ?, ?");
		this.deleteObject = "DELETE FROM " + objects + OF_SNAPSHOT + " AND CLUSTER = '" + SnapshotRows.CLUSTER
				+ "' AND NAMESPACE = ? AND NAME = ?";
		this.rename = "UPDATE " + prefix + " SET REFLECTOR = ?, SET_ASIDE_BECAUSE = ?" + OF_REFLECTOR;
	}

}
