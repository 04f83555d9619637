package dev.reflector.client.internal.bind;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;

/**
 * Writes objects that are made from a single value. Only this value is written.
 *
 * @param getter reads the value from an object
 * @param content writes the value
 */
record SingleWriter(ComponentAccess.Way getter, ValueWriter content) implements ValueWriter {

	@Override
	public void write(Object value, JsonGenerator out, SerializationContext context) {
		this.content.writeNullable(this.getter.get(value), out, context);
	}

}
