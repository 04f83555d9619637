package dev.reflector.cache.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * What is stored cannot be read, and will not be readable later.
 *
 * @since 0.1.0
 */
public class SnapshotCorruptException extends SnapshotException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message what is wrong, without anything of an object
	 * @param cause what was thrown, if anything was. The log shows it, so its messages
	 * must have neither credentials nor anything of an object in them
	 */
	public SnapshotCorruptException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
