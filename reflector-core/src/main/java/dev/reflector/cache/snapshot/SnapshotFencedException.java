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
	 * @param message which process is the writer, if that is known
	 */
	public SnapshotFencedException(String message) {
		super(message, null);
	}

}
