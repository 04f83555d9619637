package dev.reflector.write;

import java.util.List;

import dev.reflector.cache.source.Status;

/**
 * Thrown when the server does not accept the written object, for example because of a
 * field that is not in the schema, or of a value that is not allowed. The last request
 * wrote nothing. {@link #mayHaveHappened()} returns whether an earlier request, whose
 * response was lost, may have written something.
 *
 * @since 0.1.0
 */
public final class WriteInvalidException extends WriteException {

	private final List<Status.Cause> causes;

	/**
	 * Creates the exception.
	 * @param causes the mistakes that the server reports, one for each field
	 * @param advice what is wrong and what to do
	 * @param failure the details of the failure, such as the write and the response
	 */
	public WriteInvalidException(List<Status.Cause> causes, String advice, Failure failure) {
		super("invalid", advice, failure);
		this.causes = List.copyOf(causes);
	}

	/**
	 * Returns the mistakes that the server reports.
	 * @return one cause for each field, at most 100; empty if the server does not report
	 * fields
	 */
	public List<Status.Cause> causes() {
		return this.causes;
	}

}
