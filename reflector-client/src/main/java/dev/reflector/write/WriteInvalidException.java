package dev.reflector.write;

import java.util.List;

import dev.reflector.cache.source.Status;

/**
 * Signals that the server does not accept the written object, because of a field that its
 * schema does not have or a value that it does not allow. Nothing was written.
 *
 * @since 0.1.0
 */
public final class WriteInvalidException extends WriteException {

	private final List<Status.Cause> causes;

	/**
	 * Creates the exception.
	 * @param causes what the server finds wrong, field by field, as far as it reports
	 * that
	 * @param advice what is wrong and what to do
	 * @param failure what has failed
	 */
	public WriteInvalidException(List<Status.Cause> causes, String advice, Failure failure) {
		super("invalid", advice, failure);
		this.causes = List.copyOf(causes);
	}

	/**
	 * Returns what the server finds wrong.
	 * @return a cause for each field, as far as the server says
	 */
	public List<Status.Cause> causes() {
		return this.causes;
	}

}
