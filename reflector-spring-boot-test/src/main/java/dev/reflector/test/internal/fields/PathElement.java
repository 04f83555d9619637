package dev.reflector.test.internal.fields;

import java.util.Iterator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.reflector.test.internal.api.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * One step of a path: a field of a map, or an element of a list, identified by its keys,
 * its value or its index.
 */
public sealed interface PathElement extends Comparable<PathElement> {

	/**
	 * Returns this element in the form FieldsV1.
	 * @return the kind, a colon and the content
	 */
	String serialized();

	/**
	 * Returns the kind of the element as a number, by which elements are sorted.
	 * @return 0 for a field, 1 for keys, 2 for a value, 3 for an index
	 */
	int kind();

	/**
	 * Reads an element of FieldsV1.
	 * @param text the text
	 * @return the element, or {@code null} if the text is not an element
	 */
	static @Nullable PathElement parse(String text) {
		if (text.length() < 2 || text.charAt(1) != ':') {
			return null;
		}
		String content = text.substring(2);
		try {
			return switch (text.charAt(0)) {
				case 'f' -> new Field(content);
				case 'k' -> keys(Json.MAPPER.readTree(content));
				case 'v' -> new Value(Json.MAPPER.readTree(content));
				case 'i' -> new Index(Integer.parseInt(content));
				default -> null;
			};
		}
		catch (JacksonException | NumberFormatException ex) {
			return null;
		}
	}

	private static PathElement keys(JsonNode object) {
		SortedMap<String, JsonNode> fields = new TreeMap<>();
		object.forEachEntry(fields::put);
		return new Keys(fields);
	}

	@Override
	default int compareTo(PathElement other) {
		if (this instanceof Field field && other instanceof Field second) {
			return field.name().compareTo(second.name());
		}
		if (this instanceof Keys keys && other instanceof Keys second) {
			return Keys.compare(keys.fields(), second.fields());
		}
		if (this instanceof Value value && other instanceof Value second) {
			return Values.compare(value.value(), second.value());
		}
		if (this instanceof Index index && other instanceof Index second) {
			return Integer.compare(index.place(), second.place());
		}
		return Integer.compare(kind(), other.kind());
	}

	/**
	 * A field of a map.
	 *
	 * @param name name of the field
	 */
	record Field(String name) implements PathElement {

		@Override
		public String serialized() {
			return "f:" + this.name;
		}

		@Override
		public int kind() {
			return 0;
		}

		@Override
		public String toString() {
			return "." + this.name;
		}

	}

	/**
	 * An element of a list of maps.
	 *
	 * @param fields the key fields of the element, with their values
	 */
	record Keys(SortedMap<String, JsonNode> fields) implements PathElement {

		private static int compare(SortedMap<String, JsonNode> left, SortedMap<String, JsonNode> right) {
			Iterator<Map.Entry<String, JsonNode>> others = right.entrySet().iterator();
			for (Map.Entry<String, JsonNode> field : left.entrySet()) {
				if (!others.hasNext()) {
					return 1;
				}
				Map.Entry<String, JsonNode> other = others.next();
				int order = field.getKey().compareTo(other.getKey());
				order = (order != 0) ? order : Values.compare(field.getValue(), other.getValue());
				if (order != 0) {
					return order;
				}
			}
			return others.hasNext() ? -1 : 0;
		}

		@Override
		public String serialized() {
			return "k:" + Values.json(this.fields);
		}

		@Override
		public int kind() {
			return 1;
		}

		@Override
		public String toString() {
			return this.fields.entrySet()
				.stream()
				.map((field) -> field.getKey() + "=" + Values.text(field.getValue()))
				.collect(Collectors.joining(",", "[", "]"));
		}

	}

	/**
	 * An element of a set.
	 *
	 * @param value the element
	 */
	record Value(JsonNode value) implements PathElement {

		@Override
		public String serialized() {
			return "v:" + Values.json(this.value);
		}

		@Override
		public int kind() {
			return 2;
		}

		@Override
		public String toString() {
			return "[=" + Values.text(this.value) + "]";
		}

	}

	/**
	 * An element of a list that is identified only by its index.
	 *
	 * @param place the index, counted from 0
	 */
	record Index(int place) implements PathElement {

		@Override
		public String serialized() {
			return "i:" + this.place;
		}

		@Override
		public int kind() {
			return 3;
		}

		@Override
		public String toString() {
			return "[" + this.place + "]";
		}

	}

}
