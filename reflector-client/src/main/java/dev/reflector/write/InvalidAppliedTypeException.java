package dev.reflector.write;

/**
 * Thrown when a type cannot be applied, because it is not declared as required.
 *
 * @since 0.1.0
 */
public class InvalidAppliedTypeException extends IllegalArgumentException {

	private final Class<?> type;

	private final String problem;

	private final String advice;

	/**
	 * Creates the exception.
	 * @param type the type
	 * @param problem what is wrong; the message puts the name of the type before it
	 * @param advice what to declare instead, as a sentence
	 */
	public InvalidAppliedTypeException(Class<?> type, String problem, String advice) {
		super(type.getName() + " " + problem + ". " + advice);
		this.type = type;
		this.problem = type.getName() + " " + problem + ".";
		this.advice = advice;
	}

	/**
	 * Returns the type that cannot be applied.
	 * @return the type
	 */
	public Class<?> type() {
		return this.type;
	}

	/**
	 * Returns what is wrong with the type.
	 * @return one sentence
	 */
	public String problem() {
		return this.problem;
	}

	/**
	 * Returns what to declare instead.
	 * @return one sentence or more
	 */
	public String advice() {
		return this.advice;
	}

}
