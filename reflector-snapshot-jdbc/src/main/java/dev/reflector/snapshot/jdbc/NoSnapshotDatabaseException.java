package dev.reflector.snapshot.jdbc;

/**
 * Snapshots are wanted, and there is no database for them.
 */
final class NoSnapshotDatabaseException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	NoSnapshotDatabaseException(String message, String action) {
		super(message);
		this.action = action;
	}

	/** What to do about it. */
	String action() {
		return this.action;
	}

}
