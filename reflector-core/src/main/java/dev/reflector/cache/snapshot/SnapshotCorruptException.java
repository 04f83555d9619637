package dev.reflector.cache.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when stored data cannot be read now or later.
 *
 * @since 0.1.0
 */
public class SnapshotCorruptException extends SnapshotException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message what is wrong, without anything of an object
	 * @param cause what was thrown, or {@code null}. The log shows it, so its messages
	 * must contain neither credentials nor anything of an object
	 */
	public SnapshotCorruptException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
