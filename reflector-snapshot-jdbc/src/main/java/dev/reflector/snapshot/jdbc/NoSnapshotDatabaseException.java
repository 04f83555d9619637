package dev.reflector.snapshot.jdbc;

/**
 * Thrown when snapshots are switched on but there is no usable database for them.
 */
final class NoSnapshotDatabaseException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	NoSnapshotDatabaseException(String message, String action) {
		super(message);
		this.action = action;
	}

	/** Returns advice on how to solve the problem. */
	String action() {
		return this.action;
	}

}
