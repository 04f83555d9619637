package dev.reflector.write;

/**
 * Thrown when the object, or the request, is larger than the server accepts.
 *
 * @since 0.1.0
 */
public final class WriteTooLargeException extends WriteException {

	/**
	 * Creates the exception.
	 * @param advice what is wrong and what to do
	 * @param failure the details of the failure, such as the write and the response
	 */
	public WriteTooLargeException(String advice, Failure failure) {
		super("too-large", advice, failure);
	}

}
