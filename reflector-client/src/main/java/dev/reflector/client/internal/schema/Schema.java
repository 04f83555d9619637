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
 * @param all further schemas that all apply
 * @param restricted whether some strings are not valid values
 * @param open whether an object may have other properties
 * @param unknown whether nothing is known of the value
 */
record Schema(String type, @Nullable String reference, Map<String, Schema> properties, @Nullable Schema each,
		@Nullable Schema items, List<Schema> all, boolean restricted, boolean open, boolean unknown) {

	static final Schema UNKNOWN = new Schema("", null, Map.of(), null, null, List.of(), false, true, true);

}
