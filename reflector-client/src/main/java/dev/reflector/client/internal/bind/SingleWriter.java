package dev.reflector.client.internal.bind;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;

/**
 * Writes objects that are made of one value, as that value.
 *
 * @param getter the value of an object
 * @param content writes that value
 */
record SingleWriter(ComponentAccess.Way getter, ValueWriter content) implements ValueWriter {

	@Override
	public void write(Object value, JsonGenerator out, SerializationContext context) {
		this.content.writeNullable(this.getter.get(value), out, context);
	}

}
