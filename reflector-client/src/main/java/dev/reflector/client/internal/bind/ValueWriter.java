package dev.reflector.client.internal.bind;

import java.util.List;
import java.util.Map;
import java.util.RandomAccess;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.ReferenceTypeDeserializer;

/**
 * Writes values in the form that the deserializer of their type reads. The form does not
 * depend on how the application writes its own JSON. This is the counterpart of
 * {@link Binding}, but for all types.
 */
@FunctionalInterface
interface ValueWriter {

	/**
	 * Writes a value.
	 * @param value the value
	 * @param out receives the value
	 * @param context the context of Jackson, with the library's own settings
	 */
	void write(Object value, JsonGenerator out, SerializationContext context);

	/**
	 * Returns the first token of a value, which determines how Jackson writes a type id.
	 * @return the first token
	 */
	default JsonToken begins() {
		return JsonToken.VALUE_STRING;
	}

	/**
	 * Writes the content between the brackets of an object or array.
	 * @param value the value
	 * @param out receives the value
	 * @param context the context of Jackson, with the library's own settings
	 */
	default void writeContent(Object value, JsonGenerator out, SerializationContext context) {
		write(value, out, context);
	}

	/**
	 * Writes a value or JSON's {@code null}.
	 * @param value the value
	 * @param out receives the value
	 * @param context the context of Jackson, with the library's own settings
	 */
	default void writeNullable(@Nullable Object value, JsonGenerator out, SerializationContext context) {
		if (value == null) {
			out.writeNull();
		}
		else {
			write(value, out, context);
		}
	}

	/**
	 * Writes the elements of a collection or an array.
	 *
	 * @param each writes an element
	 */
	record Elements(ValueWriter each) implements ValueWriter {

		@Override
		public void write(Object value, JsonGenerator out, SerializationContext context) {
			out.writeStartArray();
			writeContent(value, out, context);
			out.writeEndArray();
		}

		@Override
		public void writeContent(Object value, JsonGenerator out, SerializationContext context) {
			if (value instanceof List<?> list && list instanceof RandomAccess) {
				for (int index = 0; index < list.size(); index++) {
					this.each.writeNullable(list.get(index), out, context);
				}
				return;
			}
			if (value instanceof Iterable<?> elements) {
				for (Object element : elements) {
					this.each.writeNullable(element, out, context);
				}
				return;
			}
			for (Object element : (Object[]) value) {
				this.each.writeNullable(element, out, context);
			}
		}

		@Override
		public JsonToken begins() {
			return JsonToken.START_ARRAY;
		}

	}

	/**
	 * Writes the entries of a map, or one entry.
	 *
	 * @param names writes keys as names
	 * @param values writes a value
	 */
	record Entries(KeyNames names, ValueWriter values) implements ValueWriter {

		@Override
		public void write(Object value, JsonGenerator out, SerializationContext context) {
			out.writeStartObject();
			writeContent(value, out, context);
			out.writeEndObject();
		}

		@Override
		public void writeContent(Object value, JsonGenerator out, SerializationContext context) {
			if (value instanceof Map.Entry<?, ?> entry) {
				write(entry, out, context);
				return;
			}
			for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
				write(entry, out, context);
			}
		}

		private void write(Map.Entry<?, ?> entry, JsonGenerator out, SerializationContext context) {
			this.names.writeName(entry.getKey(), out, context);
			this.values.writeNullable(entry.getValue(), out, context);
		}

		@Override
		public JsonToken begins() {
			return JsonToken.START_OBJECT;
		}

	}

	/** Writes keys of maps as names of properties. */
	@FunctionalInterface
	interface KeyNames {

		KeyNames TEXT = (key, out, context) -> out.writeName(key.toString());

		void writeName(Object key, JsonGenerator out, SerializationContext context);

	}

	/**
	 * Writes the value of an {@code Optional} or another reference.
	 *
	 * @param type finds the referenced value
	 * @param content writes the referenced value
	 */
	record Referenced(ReferenceTypeDeserializer<Object> type, ValueWriter content) implements ValueWriter {

		@Override
		public void write(Object value, JsonGenerator out, SerializationContext context) {
			this.content.writeNullable(this.type.getReferenced(value), out, context);
		}

	}

	/**
	 * Writes a value without a declared type, such as a map, list, string, number or
	 * boolean.
	 */
	record Untyped() implements ValueWriter {

		@Override
		public void write(Object value, JsonGenerator out, SerializationContext context) {
			if (value instanceof Map<?, ?> map) {
				out.writeStartObject();
				map.forEach((key, content) -> {
					out.writeName(String.valueOf(key));
					writeNullable(content, out, context);
				});
				out.writeEndObject();
			}
			else if (value instanceof Iterable<?> || value instanceof Object[]) {
				if (value instanceof JsonNode node) {
					node.serialize(out, context);
					return;
				}
				new Elements(this).write(value, out, context);
			}
			else if (!ScalarWriters.write(value, out)) {
				throw new IllegalArgumentException("no JSON makes a " + value.getClass().getName());
			}
		}

	}

}
