package dev.reflector.write;

import java.util.List;

/**
 * Signals that other managers own fields of what was applied, with other values. Nothing
 * was written.
 *
 * @since 0.1.0
 */
public final class WriteConflictException extends WriteException {

	private final List<Conflict> conflicts;

	/**
	 * Creates the exception.
	 * @param conflicts who owns which field; none when the object was changed by others
	 * again and again while the server applied
	 * @param advice what is wrong and what to do
	 * @param failure what has failed
	 */
	public WriteConflictException(List<Conflict> conflicts, String advice, Failure failure) {
		super("conflict", advice, failure);
		this.conflicts = List.copyOf(conflicts);
	}

	/**
	 * Who owns which field.
	 * @return one for each field
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
