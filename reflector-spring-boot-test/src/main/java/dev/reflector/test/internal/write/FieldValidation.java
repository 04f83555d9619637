package dev.reflector.test.internal.write;

import org.jspecify.annotations.Nullable;

/**
 * What the server does if a written object has unknown fields, or fields that occur
 * twice.
 */
enum FieldValidation {

	/** Unknown fields are dropped. */
	IGNORE,

	/** Unknown fields are dropped, and the answer contains warnings. */
	WARN,

	/** The write is refused. */
	STRICT;

	/**
	 * Returns the constant for the value of the query parameter {@code fieldValidation}.
	 * @param parameter the value, empty if the parameter is missing
	 * @return the constant, or {@code null} if the value is not valid
	 */
	static @Nullable FieldValidation of(String parameter) {
		return switch (parameter) {
			case "", "Warn" -> WARN;
			case "Ignore" -> IGNORE;
			case "Strict" -> STRICT;
			default -> null;
		};
	}

}
