package dev.reflector.cache.snapshot;

/**
 * Another process writes the snapshot. Nothing was stored.
 *
 * @since 0.1.0
 */
public class SnapshotFencedException extends SnapshotException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message who writes, as far as it is known
	 */
	public SnapshotFencedException(String message) {
		super(message, null);
	}

}
