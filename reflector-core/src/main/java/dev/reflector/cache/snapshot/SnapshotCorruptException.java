package dev.reflector.cache.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when stored data is damaged: it cannot be read now, and a later attempt would
 * fail, too.
 *
 * @since 0.1.0
 */
public class SnapshotCorruptException extends SnapshotException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message what is wrong, without any content of an object
	 * @param cause what was thrown, or {@code null}. The log shows the cause, so its
	 * messages must contain neither credentials nor any content of an object
	 */
	public SnapshotCorruptException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
