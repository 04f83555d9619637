package dev.reflector.write;

/**
 * Thrown when the server forbids a write: because the credentials lack a permission,
 * because an admission plugin or a quota does not allow the write, or because the
 * namespace is being deleted.
 *
 * @since 0.1.0
 */
public final class WriteForbiddenException extends WriteException {

	private final String rule;

	/**
	 * Creates the exception.
	 * @param rule the rule that a role needs, or empty if no rule would help
	 * @param advice what is wrong and what to do
	 * @param failure the details of the failure, such as the write and the response
	 */
	public WriteForbiddenException(String rule, String advice, Failure failure) {
		super("forbidden", advice, failure);
		this.rule = rule;
	}

	/**
	 * Returns the rule that a role needs to allow the write.
	 * @return a rule in YAML, or empty if no rule would help
	 */
	public String rule() {
		return this.rule;
	}

}
