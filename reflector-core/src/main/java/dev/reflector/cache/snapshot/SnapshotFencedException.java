package dev.reflector.cache.snapshot;

/**
 * Thrown when another process is the writer of the snapshot. Nothing was stored.
 *
 * @since 0.1.0
 */
public class SnapshotFencedException extends SnapshotException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message names the process that is the writer, if it is known
	 */
	public SnapshotFencedException(String message) {
		super(message, null);
	}

}
