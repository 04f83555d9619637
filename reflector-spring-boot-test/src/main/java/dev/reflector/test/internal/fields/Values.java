package dev.reflector.test.internal.fields;

import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.reflector.test.internal.api.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Compares JSON values for merging: numbers by their numeric value, other values by kind
 * and content.
 */
public final class Values {

	private Values() {
	}

	/**
	 * Whether two values are equal.
	 * @param left a value, or {@code null} for none
	 * @param right another value, or {@code null} for none
	 * @return whether the values are equal
	 */
	public static boolean equal(@Nullable JsonNode left, @Nullable JsonNode right) {
		if (left == null || right == null) {
			return left == right;
		}
		return compare(left, right) == 0;
	}

	/**
	 * Compares two values. The order of kinds is: numbers, texts, booleans, lists, maps,
	 * null.
	 * @param left a value
	 * @param right another value
	 * @return negative, zero or positive
	 */
	public static int compare(JsonNode left, JsonNode right) {
		int kind = Integer.compare(rank(left), rank(right));
		if (kind != 0) {
			return kind;
		}
		return switch (rank(left)) {
			case 0 -> left.decimalValue().compareTo(right.decimalValue());
			case 1 -> left.stringValue().compareTo(right.stringValue());
			case 2 -> Boolean.compare(left.booleanValue(), right.booleanValue());
			case 3 -> lists(left, right);
			case 4 -> maps(left, right);
			default -> 0;
		};
	}

	private static int rank(JsonNode value) {
		return switch (value.getNodeType()) {
			case NUMBER -> 0;
			case STRING -> 1;
			case BOOLEAN -> 2;
			case ARRAY -> 3;
			case OBJECT -> 4;
			default -> 5;
		};
	}

	private static int lists(JsonNode left, JsonNode right) {
		Iterator<JsonNode> others = right.iterator();
		for (JsonNode element : left) {
			if (!others.hasNext()) {
				return 1;
			}
			int order = compare(element, others.next());
			if (order != 0) {
				return order;
			}
		}
		return others.hasNext() ? -1 : 0;
	}

	private static int maps(JsonNode left, JsonNode right) {
		TreeSet<String> names = new TreeSet<>(left.propertyNames());
		names.addAll(right.propertyNames());
		for (String name : names) {
			JsonNode one = left.get(name);
			JsonNode other = right.get(name);
			if (one == null || other == null) {
				return (one == null) ? 1 : -1;
			}
			int order = compare(one, other);
			if (order != 0) {
				return order;
			}
		}
		return 0;
	}

	/**
	 * Returns a value as text for a human-readable path.
	 * @param value the value
	 * @return the text
	 */
	static String text(JsonNode value) {
		return value.toString();
	}

	/**
	 * Returns the JSON of a value as real servers write it: characters with a meaning in
	 * HTML are escaped.
	 * @param value the value
	 * @return the text
	 */
	static String json(JsonNode value) {
		return Json.MAPPER.writeValueAsString(value)
			.replace("<", "\\u003c")
			.replace(">", "\\u003e")
			.replace("&", "\\u0026");
	}

	static String json(Map<String, JsonNode> fields) {
		StringBuilder text = new StringBuilder("{");
		new TreeMap<>(fields).forEach((name, value) -> text.append((text.length() > 1) ? "," : "")
			.append(Json.MAPPER.writeValueAsString(name))
			.append(':')
			.append(json(value)));
		return text.append('}').toString();
	}

}
