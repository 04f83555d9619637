package dev.reflector.test.internal.write;

import org.jspecify.annotations.Nullable;

/**
 * What happens with unknown fields and fields that occur twice.
 */
enum FieldValidation {

	/** Unknown fields are dropped. */
	IGNORE,

	/** Unknown fields are dropped, and the answer warns of them. */
	WARN,

	/** The write is refused. */
	STRICT;

	/**
	 * Returns the meaning of a query parameter.
	 * @param parameter the value, empty if the parameter is missing
	 * @return the meaning, or {@code null} if the value is not valid
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
