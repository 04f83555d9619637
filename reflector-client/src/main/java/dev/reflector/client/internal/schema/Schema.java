package dev.reflector.client.internal.schema;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The parts of the schema of a value that are needed here.
 *
 * @param type the JSON type, empty when the schema names none
 * @param reference name of the schema to which this one refers, {@code null} for none
 * @param properties the properties of an object
 * @param each the values of an object that is a map, {@code null} for other values
 * @param items the elements of an array, {@code null} when they are not known
 * @param all schemas of which each holds as well
 * @param texts which strings are values
 * @param open whether an object may have other properties
 * @param unknown whether nothing is known of the value
 */
record Schema(String type, @Nullable String reference, Map<String, Schema> properties, @Nullable Schema each,
		@Nullable Schema items, List<Schema> all, Texts texts, boolean open, boolean unknown) {

	static final Schema UNKNOWN = new Schema("", null, Map.of(), null, null, List.of(), Texts.ALL, true, true);

	/**
	 * Which strings are values.
	 *
	 * @param restricted whether not every string is one
	 * @param format the format that they have, empty for none, or for several
	 * @param values the only values, empty when they are not known
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
