package dev.reflector.test.internal.store;

import java.util.ArrayList;
import java.util.List;

import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.ServedType;

/**
 * A field selector. Only {@code metadata.name} and, for types in namespaces,
 * {@code metadata.namespace} can be used, as for custom resources on a real server.
 *
 * @param terms the conditions, which must all hold
 */
record FieldSelector(List<Term> terms) {

	static FieldSelector parse(String text, ServedType type) {
		List<Term> terms = new ArrayList<>();
		for (String term : text.split(",")) {
			if (!term.isBlank()) {
				terms.add(Term.parse(term.strip(), type));
			}
		}
		return new FieldSelector(List.copyOf(terms));
	}

	boolean matches(ObjectRevision object) {
		return this.terms.stream().allMatch((term) -> term.matches(object));
	}

	/**
	 * A condition on one field.
	 *
	 * @param field the field
	 * @param value the value
	 * @param equal {@code true} if the field must have the value, {@code false} if it
	 * must not
	 */
	record Term(String field, String value, boolean equal) {

		static Term parse(String text, ServedType type) {
			int equals = text.indexOf('=');
			if (equals < 0) {
				throw ApiFailure.badRequest("invalid selector: '" + text + "'; can't understand '" + text + "'");
			}
			boolean unequal = equals > 0 && text.charAt(equals - 1) == '!';
			int start = (equals + 1 < text.length() && text.charAt(equals + 1) == '=' && !unequal) ? equals + 2
					: equals + 1;
			String field = text.substring(0, unequal ? equals - 1 : equals);
			if (!"metadata.name".equals(field) && !(type.namespaced() && "metadata.namespace".equals(field))) {
				throw ApiFailure.badRequest("field label not supported: " + field);
			}
			return new Term(field, text.substring(start), !unequal);
		}

		boolean matches(ObjectRevision object) {
			String actual = "metadata.name".equals(this.field) ? object.name() : object.namespace();
			return this.value.equals(actual) == this.equal;
		}

	}

}
