package dev.reflector.cache.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * A store of snapshots cannot do its work now: a disk is full, a directory is read-only,
 * a database cannot be reached. The same may succeed later.
 *
 * @since 0.1.0
 */
public class SnapshotException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message what is wrong and what to do, without credentials
	 * @param cause what was thrown, if anything was. The log shows it, so its messages
	 * must have neither credentials nor anything of an object in them
	 */
	public SnapshotException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
