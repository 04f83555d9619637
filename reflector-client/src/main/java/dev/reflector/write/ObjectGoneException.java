package dev.reflector.write;

/**
 * Thrown when the object with the uid of the write does not exist any more. It was
 * deleted, and perhaps another object with its name was created. The last request wrote
 * nothing. {@link #mayHaveHappened()} returns whether an earlier request, whose response
 * was lost, may have written something.
 *
 * @since 0.1.0
 */
public final class ObjectGoneException extends WriteException {

	/**
	 * Creates the exception.
	 * @param advice what is wrong and what to do
	 * @param failure the details of the failure, such as the write and the response
	 */
	public ObjectGoneException(String advice, Failure failure) {
		super("gone", advice, failure);
	}

}
