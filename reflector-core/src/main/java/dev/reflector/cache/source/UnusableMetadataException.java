package dev.reflector.cache.source;

import java.util.Objects;

/**
 * Thrown by {@link MetadataAccessor} when an object has no metadata or no name. Its
 * message names the type, and holds nothing of the object, unlike what the methods of an
 * application may throw.
 *
 * @since 0.1.0
 */
public final class UnusableMetadataException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	UnusableMetadataException(String message) {
		super(message);
	}

	/**
	 * Says why the metadata of an object could not be read, without anything of the
	 * object, which may be a Secret.
	 * @param failure what an accessor has thrown
	 * @return the message of such an exception, of any other one only what it is
	 */
	public static String reason(Throwable failure) {
		return (failure instanceof UnusableMetadataException known) ? Objects.requireNonNull(known.getMessage())
				: "its metadata could not be read: " + failure.getClass().getName();
	}

}
