package dev.reflector.client.internal.schema;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The schema of a value, with the parts that the comparison needs.
 *
 * @param type the JSON type, empty if the schema names none
 * @param reference the name of another schema that is used instead of this one, or
 * {@code null} for none
 * @param properties the schemas of the properties of an object
 * @param each the schema of the values of a map, or {@code null} for other values
 * @param items the schema of the elements of an array, or {@code null} if it is not known
 * @param all further schemas; the value must match each of them, too
 * @param texts the strings that are allowed
 * @param open whether an object may have other properties
 * @param unknown whether the schema allows any value
 */
record Schema(String type, @Nullable String reference, Map<String, Schema> properties, @Nullable Schema each,
		@Nullable Schema items, List<Schema> all, Texts texts, boolean open, boolean unknown) {

	static final Schema UNKNOWN = new Schema("", null, Map.of(), null, null, List.of(), Texts.ALL, true, true);

	/**
	 * The strings that a schema allows.
	 *
	 * @param restricted whether some strings are not allowed
	 * @param format the format of the strings; empty for none, or for several formats
	 * @param values the only allowed strings; empty if they are not known
	 */
	record Texts(boolean restricted, String format, List<String> values) {

		static final Texts ALL = new Texts(false, "", List.of());

		Texts and(Texts other) {
			return new Texts(this.restricted || other.restricted,
					(this.format.isEmpty() || this.format.equals(other.format)) ? other.format
							: other.format.isEmpty() ? this.format : "",
					this.values.isEmpty() ? other.values : other.values.isEmpty() ? this.values
							: this.values.stream().filter(other.values::contains).toList());
		}

	}

}
