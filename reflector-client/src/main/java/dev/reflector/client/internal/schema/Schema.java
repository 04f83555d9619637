package dev.reflector.client.internal.schema;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What is needed of the schema of a value.
 *
 * @param type the JSON type, empty when it is not said
 * @param reference name of the schema that stands for this one, {@code null} for none
 * @param properties the properties of an object
 * @param each the values of an object that is a map, {@code null} when it is none
 * @param items the elements of an array, {@code null} when they are not known
 * @param all schemas of which each holds as well
 * @param restricted whether not every string is a value
 * @param open whether an object may have other properties
 * @param unknown whether nothing is known of the value
 */
record Schema(String type, @Nullable String reference, Map<String, Schema> properties, @Nullable Schema each,
		@Nullable Schema items, List<Schema> all, boolean restricted, boolean open, boolean unknown) {

	static final Schema UNKNOWN = new Schema("", null, Map.of(), null, null, List.of(), false, true, true);

}
