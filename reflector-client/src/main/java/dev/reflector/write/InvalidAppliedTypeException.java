package dev.reflector.write;

/**
 * Signals that a type cannot be applied as it is declared.
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
	 * @param problem what is wrong, after the name of the type
	 * @param advice what to declare instead, a sentence
	 */
	public InvalidAppliedTypeException(Class<?> type, String problem, String advice) {
		super(type.getName() + " " + problem + ". " + advice);
		this.type = type;
		this.problem = type.getName() + " " + problem + ".";
		this.advice = advice;
	}

	/**
	 * * Returns the type.
	 * @return the type
	 */
	public Class<?> type() {
		return this.type;
	}

	/**
	 * Returns what is wrong.
	 * @return a sentence
	 */
	public String problem() {
		return this.problem;
	}

	/**
	 * Returns what to do about it.
	 * @return a sentence
	 */
	public String advice() {
		return this.advice;
	}

}
