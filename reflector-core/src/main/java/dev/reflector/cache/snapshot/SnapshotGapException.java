package dev.reflector.cache.snapshot;

/**
 * Thrown when the store does not contain the commit that a new commit must follow.
 * Possible causes: a standby without the last commits was promoted, a dump or a file was
 * restored while the process runs, or a database that confirms commits too early has
 * crashed. Nothing was stored. The writer still has its claim, and reads the stored
 * versions before its next commit.
 *
 * @since 0.1.0
 */
public class SnapshotGapException extends SnapshotException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message names the snapshot and its place
	 */
	public SnapshotGapException(String message) {
		super(message, null);
	}

}
