package dev.reflector.write;

/**
 * Thrown when the server does not have the type, its subresource or the namespace.
 *
 * @since 0.1.0
 */
public final class WriteNotFoundException extends WriteException {

	/**
	 * Creates the exception.
	 * @param advice what is wrong and what to do
	 * @param failure the details of the failure, such as the write and the response
	 */
	public WriteNotFoundException(String advice, Failure failure) {
		super("not-found", advice, failure);
	}

}
