package dev.reflector.cache.source;

/**
 * Thrown when a type cannot be mirrored, because the metadata of its objects cannot be
 * read.
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
	 * The type.
	 * @return the type
	 */
	public Class<?> type() {
		return this.type;
	}

}
