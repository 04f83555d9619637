package dev.reflector.client.internal.bind;

import java.lang.invoke.MethodHandle;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;

/**
 * Writes objects that are made of one value, as that value.
 *
 * @param getter the value of an object
 * @param content writes it
 */
record SingleWriter(MethodHandle getter, ValueWriter content) implements ValueWriter {

	@Override
	public void write(Object value, JsonGenerator out, SerializationContext context) {
		this.content.writeNullable(ComponentsWriter.get(this.getter, value), out, context);
	}

}
