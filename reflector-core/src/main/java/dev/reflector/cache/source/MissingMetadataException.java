package dev.reflector.cache.source;

/**
 * Thrown when a type cannot be mirrored because it has no readable metadata.
 *
 * @since 0.1.0
 */
public class MissingMetadataException extends RuntimeException {

	private final Class<?> type;

	MissingMetadataException(Class<?> type, String why) {
		super(type.getName() + " cannot be mirrored: " + why);
		this.type = type;
	}

	/**
	 * Returns the type that cannot be mirrored.
	 * @return the type
	 */
	public Class<?> type() {
		return this.type;
	}

}
