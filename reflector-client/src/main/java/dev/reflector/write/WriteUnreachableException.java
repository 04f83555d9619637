package dev.reflector.write;

/**
 * Thrown when the server did not respond in time, or its response was not valid.
 * {@link #mayHaveHappened()} returns whether the write may have been carried out.
 *
 * @since 0.1.0
 */
public final class WriteUnreachableException extends WriteException {

	/**
	 * Creates the exception.
	 * @param advice what is wrong and what to do
	 * @param failure the details of the failure, such as the write and its cause
	 */
	public WriteUnreachableException(String advice, Failure failure) {
		super("unreachable", advice, failure);
	}

}
