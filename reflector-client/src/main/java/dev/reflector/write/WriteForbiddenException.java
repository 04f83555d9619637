package dev.reflector.write;

/**
 * Signals that the credentials do not allow a write, or were not accepted.
 *
 * @since 0.1.0
 */
public final class WriteForbiddenException extends WriteException {

	private final String rule;

	/**
	 * Creates the exception.
	 * @param rule the rule that a role needs, empty when none would help
	 * @param advice what is wrong and what to do
	 * @param failure what has failed
	 */
	public WriteForbiddenException(String rule, String advice, Failure failure) {
		super("forbidden", advice, failure);
		this.rule = rule;
	}

	/**
	 * Returns the rule of a role that allows the write.
	 * @return a rule in YAML, empty when none would help
	 */
	public String rule() {
		return this.rule;
	}

}
