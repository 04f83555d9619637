package dev.reflector.cache.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a store of snapshots fails, for example because a disk is full, a directory
 * is read-only, or a database cannot be reached. A later attempt may succeed.
 *
 * @since 0.1.0
 */
public class SnapshotException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message what is wrong and what to do, without credentials
	 * @param cause what was thrown, or {@code null}. The log shows the cause, so its
	 * messages must contain neither credentials nor any content of an object
	 */
	public SnapshotException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
