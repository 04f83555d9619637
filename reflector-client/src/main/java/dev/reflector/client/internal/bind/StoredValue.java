package dev.reflector.client.internal.bind;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Gives access to the generator and the context with which a mapper writes. Jackson
 * creates both only while it writes, so the mapper must write an object of this type.
 */
@FunctionalInterface
interface StoredValue {

	/**
	 * Writes a value.
	 * @param out receives the value
	 * @param context the context of the mapper
	 */
	void write(JsonGenerator out, SerializationContext context);

	/** Writes values of this type. */
	final class Serializer extends StdSerializer<StoredValue> {

		private Serializer() {
			super(StoredValue.class);
		}

		@Override
		public void serialize(StoredValue value, JsonGenerator out, SerializationContext context) {
			value.write(out, context);
		}

		static SimpleModule module() {
			return new SimpleModule("reflector-stored").addSerializer(StoredValue.class, new Serializer());
		}

	}

}
