package dev.reflector.write;

/**
 * Thrown when an object cannot be created, because there is already an object with this
 * name.
 *
 * @since 0.1.0
 */
public final class ObjectExistsException extends WriteException {

	/**
	 * Creates the exception.
	 * @param advice what is wrong and what to do
	 * @param failure the details of the failure, such as the write and the response
	 */
	public ObjectExistsException(String advice, Failure failure) {
		super("exists", advice, failure);
	}

}
