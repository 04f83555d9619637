package dev.reflector.client.internal.bind;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;
import tools.jackson.core.SerializableString;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationContext;

/**
 * Writes records or beans of one type. Writes every component that the reader of the type
 * reads, even if its value is empty or zero. A type may contain itself, so the writer is
 * created before its components are set.
 */
final class ComponentsWriter implements ValueWriter {

	private final boolean array;

	private Part[] components = {};

	private @Nullable Rest rest;

	/**
	 * Creates the writer of a type.
	 * @param array whether objects are written as arrays
	 */
	ComponentsWriter(boolean array) {
		this.array = array;
	}

	/**
	 * Sets the components.
	 * @param components the components, in the order in which they are written
	 * @param rest the writer of properties that the type does not declare, or
	 * {@code null} for none
	 */
	void setComponents(List<? extends Part> components, @Nullable Rest rest) {
		this.components = components.toArray(Part[]::new);
		this.rest = rest;
	}

	/** Returns a copy of this writer that omits one component. */
	ComponentsWriter without(String name) {
		ComponentsWriter less = new ComponentsWriter(this.array);
		less.setComponents(Stream.of(this.components).filter((component) -> !component.called().equals(name)).toList(),
				this.rest);
		return less;
	}

	@Override
	public void write(Object value, JsonGenerator out, SerializationContext context) {
		if (this.array) {
			out.writeStartArray();
			writeContent(value, out, context);
			out.writeEndArray();
			return;
		}
		out.writeStartObject();
		writeContent(value, out, context);
		out.writeEndObject();
	}

	@Override
	public void writeContent(Object value, JsonGenerator out, SerializationContext context) {
		for (Part component : this.components) {
			try {
				component.write(value, out, context);
			}
			catch (RuntimeException ex) {
				throw DatabindException.wrapWithPath(context, ex,
						new JacksonException.Reference(value, component.called()));
			}
		}
		if (this.rest != null) {
			this.rest.write(value, out, context);
		}
	}

	@Override
	public JsonToken begins() {
		return this.array ? JsonToken.START_ARRAY : JsonToken.START_OBJECT;
	}

	/** Writes one component. */
	interface Part {

		/** Returns the name of the component. */
		String called();

		/** Writes the component. */
		void write(Object from, JsonGenerator out, SerializationContext context);

	}

	/**
	 * An unwrapped component: its own components are written directly into the object.
	 *
	 * @param called the name of the component
	 * @param getter reads the value from an object
	 * @param value writes the value
	 */
	record Inlined(String called, ComponentAccess.Way getter, ValueWriter value) implements Part {

		@Override
		public void write(Object from, JsonGenerator out, SerializationContext context) {
			Object content = this.getter.get(from);
			if (content != null) {
				this.value.writeContent(content, out, context);
			}
		}

	}

	/**
	 * A component of an object that is written as an array.
	 *
	 * @param called the name of the component
	 * @param getter reads the value from an object
	 * @param value writes the value
	 */
	record Positioned(String called, ComponentAccess.Way getter, ValueWriter value) implements Part {

		@Override
		public void write(Object from, JsonGenerator out, SerializationContext context) {
			this.value.writeNullable(this.getter.get(from), out, context);
		}

	}

	/**
	 * A component that is written as a property.
	 *
	 * @param name the name of the property
	 * @param getter reads the value from an object
	 * @param value writes the value
	 * @param writesNull whether {@code null} is written as JSON's {@code null}; otherwise
	 * the property is omitted
	 */
	record Component(SerializableString name, ComponentAccess.Way getter, ValueWriter value,
			boolean writesNull) implements Part {

		@Override
		public String called() {
			return this.name.getValue();
		}

		@Override
		public void write(Object from, JsonGenerator out, SerializationContext context) {
			Object content = this.getter.get(from);
			if (content != null) {
				out.writeName(this.name);
				this.value.write(content, out, context);
			}
			else if (this.writesNull) {
				out.writeName(this.name);
				out.writeNull();
			}
		}

	}

	/**
	 * The properties that the type does not declare. Objects keep them in a map or in a
	 * tree.
	 *
	 * @param getter reads the map or tree from an object
	 * @param values writes a value of the map
	 */
	record Rest(ComponentAccess.Way getter, ValueWriter values) {

		void write(Object from, JsonGenerator out, SerializationContext context) {
			Object content = this.getter.get(from);
			if (content instanceof JsonNode tree) {
				tree.properties().forEach((property) -> {
					out.writeName(property.getKey());
					property.getValue().serialize(out, context);
				});
			}
			else if (content != null) {
				((Map<?, ?>) content).forEach((name, value) -> {
					out.writeName(String.valueOf(name));
					this.values.writeNullable(value, out, context);
				});
			}
		}

	}

}
