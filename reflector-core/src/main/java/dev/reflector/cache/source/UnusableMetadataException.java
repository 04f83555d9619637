package dev.reflector.cache.source;

import java.util.Objects;

/**
 * Thrown by {@link MetadataAccessor} when an object has no metadata or no name. Its
 * message names the type and contains no content of the object. Exceptions of the
 * application's own methods may contain such content.
 *
 * @since 0.1.0
 */
public final class UnusableMetadataException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	UnusableMetadataException(String message) {
		super(message);
	}

	/**
	 * Returns why the metadata of an object could not be read. The text contains no
	 * content of the object, which may be a Secret.
	 * @param failure the exception that an accessor has thrown
	 * @return the message of an {@code UnusableMetadataException}; for any other
	 * exception, a text with only its class
	 */
	public static String reason(Throwable failure) {
		return (failure instanceof UnusableMetadataException known) ? Objects.requireNonNull(known.getMessage())
				: "its metadata could not be read: " + failure.getClass().getName();
	}

}
