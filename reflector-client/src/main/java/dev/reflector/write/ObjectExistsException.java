package dev.reflector.write;

/**
 * Signals that an object cannot be created because its name is taken.
 *
 * @since 0.1.0
 */
public final class ObjectExistsException extends WriteException {

	/**
	 * Creates the exception.
	 * @param advice what is wrong and what to do
	 * @param failure what has failed
	 */
	public ObjectExistsException(String advice, Failure failure) {
		super("exists", advice, failure);
	}

}
