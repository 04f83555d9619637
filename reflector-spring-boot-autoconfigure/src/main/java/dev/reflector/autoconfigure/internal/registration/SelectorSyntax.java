package dev.reflector.autoconfigure.internal.registration;

import java.util.regex.Pattern;

import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;

/**
 * Checks the syntax of selectors, so that a wrong selector fails the start instead of
 * each request.
 */
final class SelectorSyntax {

	private static final String KEY = "(?:[A-Za-z0-9.-]+/)?[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?";

	private static final String VALUE = "(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?";

	private static final String LABEL = "(?:!\\s*" + KEY + "|" + KEY + "\\s*(?:==|=|!=)\\s*" + VALUE + "|" + KEY
			+ "\\s+(?:in|notin)\\s*\\(\\s*" + VALUE + "(?:\\s*,\\s*" + VALUE + ")*\\s*\\)|" + KEY
			+ "\\s*[<>]\\s*-?[0-9]+|" + KEY + ")";

	private static final Pattern LABELS = Pattern.compile("\\s*" + LABEL + "(?:\\s*,\\s*" + LABEL + ")*\\s*");

	/**
	 * A term of a field selector. Its value may contain any character; a backslash
	 * escapes a comma, an equals sign or a backslash.
	 */
	private static final String FIELD = "\\s*[A-Za-z0-9._-]+(?:==|=|!=)(?:[^,\\\\=]|\\\\.)*";

	/** A field selector: terms with commas between them. A term may be empty. */
	private static final Pattern FIELDS = Pattern.compile("(?:" + FIELD + ")?(?:,(?:" + FIELD + ")?)*");

	private SelectorSyntax() {
	}

	static <T> ReflectorDefinition<T> checked(ReflectorDefinition<T> definition) {
		check(definition, "label", definition.labelSelector(), LABELS, "app=web,tier in (front,back),!canary");
		check(definition, "field", definition.fieldSelector(), FIELDS, "metadata.name=web,status.phase!=Failed");
		return definition;
	}

	private static void check(ReflectorDefinition<?> definition, String kind, String selector, Pattern syntax,
			String example) {
		if (!selector.isBlank() && !syntax.matcher(selector).matches()) {
			throw new ReflectorConfigurationException(
					"The reflector '" + definition.name() + "' cannot be made: '" + selector + "' is not a " + kind
							+ " selector",
					"Correct it where the type is declared, or set 'reflector.resources." + definition.name() + "."
							+ kind + "-selector'. An example is '" + example + "'.");
		}
	}

}
