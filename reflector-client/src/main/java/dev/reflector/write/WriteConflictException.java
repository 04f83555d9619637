package dev.reflector.write;

import java.util.List;

/**
 * Thrown when other managers own fields of the applied record, with other values. Also
 * thrown when other clients repeatedly changed the object while the server applied the
 * record. The last request wrote nothing. {@link #mayHaveHappened()} returns whether an
 * earlier request, whose response was lost, may have written something.
 *
 * @since 0.1.0
 */
public final class WriteConflictException extends WriteException {

	private final List<Conflict> conflicts;

	/**
	 * Creates the exception.
	 * @param conflicts the fields that other managers own; empty if other clients
	 * repeatedly changed the object while the server applied the record
	 * @param advice what is wrong and what to do
	 * @param failure the details of the failure, such as the write and the response
	 */
	public WriteConflictException(List<Conflict> conflicts, String advice, Failure failure) {
		super("conflict", advice, failure);
		this.conflicts = List.copyOf(conflicts);
	}

	/**
	 * Returns the fields that other managers own.
	 * @return one conflict for each field, at most 100
	 */
	public List<Conflict> conflicts() {
		return this.conflicts;
	}

	/**
	 * A field that another manager owns.
	 *
	 * @param manager the manager, or empty if the server does not name it
	 * @param field the field, in the form of the server, such as {@code .spec.replicas}
	 */
	public record Conflict(String manager, String field) {

	}

}
