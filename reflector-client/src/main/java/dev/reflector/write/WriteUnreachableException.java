package dev.reflector.write;

/**
 * Signals that the server did not respond in time, or not properly; see
 * {@link #mayHaveHappened()}.
 *
 * @since 0.1.0
 */
public final class WriteUnreachableException extends WriteException {

	/**
	 * Creates the exception.
	 * @param advice what is wrong and what to do
	 * @param failure what has failed
	 */
	public WriteUnreachableException(String advice, Failure failure) {
		super("unreachable", advice, failure);
	}

}
