package dev.reflector.test.internal.merge;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.reflector.test.internal.fields.PathElement;
import dev.reflector.test.internal.schema.MergeSchema.ListSchema;
import dev.reflector.test.internal.schema.MergeSchema.Lists;
import dev.reflector.test.internal.schema.MergeSchema.MapSchema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Finds the identity of elements in lists that are sets or maps.
 */
final class Elements {

	private Elements() {
	}

	/**
	 * Returns the elements of a value.
	 * @param value the value, or {@code null} for none
	 * @return the elements, empty if the value is not a list
	 */
	static List<JsonNode> of(@Nullable JsonNode value) {
		List<JsonNode> elements = new ArrayList<>();
		if (value instanceof ArrayNode list) {
			list.forEach(elements::add);
		}
		return elements;
	}

	/**
	 * Identifies an element of a list.
	 * @param schema the schema of the list
	 * @param element the element
	 * @return the step from the list to the element
	 * @throws IllegalArgumentException if the element cannot be identified
	 */
	static PathElement identify(ListSchema schema, JsonNode element) {
		return (schema.kind() == Lists.MAP) ? byKeys(schema, element) : byValue(element);
	}

	private static PathElement byKeys(ListSchema schema, JsonNode element) {
		if (element.isNull()) {
			throw new IllegalArgumentException("associative list with keys may not have a null element");
		}
		if (!element.isObject()) {
			throw new IllegalArgumentException("associative list with keys may not have non-map elements");
		}
		MapSchema fields = schema.element().map();
		SortedMap<String, JsonNode> keys = new TreeMap<>();
		for (String key : schema.keys()) {
			JsonNode value = element.get(key);
			if (value == null && fields != null) {
				value = fields.defaults().get(key);
			}
			if (value != null) {
				keys.put(key, value);
			}
		}
		if (keys.isEmpty()) {
			throw new IllegalArgumentException("associative list with keys has an element that omits all key fields "
					+ quoted(schema.keys()) + " (and doesn't have default values for any key fields)");
		}
		return new PathElement.Keys(keys);
	}

	private static String quoted(List<String> keys) {
		return keys.stream().map((key) -> "\"" + key + "\"").toList().toString().replace(", ", " ");
	}

	private static PathElement byValue(JsonNode element) {
		if (element.isObject()) {
			throw new IllegalArgumentException("associative list without keys has an element that's a map type");
		}
		if (element.isArray()) {
			throw new IllegalArgumentException("not supported: associative list with lists as elements");
		}
		if (element.isNull()) {
			throw new IllegalArgumentException("associative list without keys has an element that's an explicit null");
		}
		return new PathElement.Value(element);
	}

}
