package dev.reflector.write;

import java.util.List;

/**
 * Signals that other managers own fields of the applied record, with other values.
 * Nothing was written.
 *
 * @since 0.1.0
 */
public final class WriteConflictException extends WriteException {

	private final List<Conflict> conflicts;

	/**
	 * Creates the exception.
	 * @param conflicts which manager owns which field; empty when others repeatedly
	 * changed the object while the server applied the record
	 * @param advice what is wrong and what to do
	 * @param failure what has failed
	 */
	public WriteConflictException(List<Conflict> conflicts, String advice, Failure failure) {
		super("conflict", advice, failure);
		this.conflicts = List.copyOf(conflicts);
	}

	/**
	 * Returns which manager owns which field.
	 * @return one conflict for each field
	 */
	public List<Conflict> conflicts() {
		return this.conflicts;
	}

	/**
	 * A field that another manager owns.
	 *
	 * @param manager the manager, empty when the server does not name it
	 * @param field the field as the server names it, such as {@code .spec.replicas}
	 */
	public record Conflict(String manager, String field) {

	}

}
