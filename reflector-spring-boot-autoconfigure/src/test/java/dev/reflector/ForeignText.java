package dev.reflector;

import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/**
 * A deserializer of an application, outside of the packages of those that are known.
 */
public final class ForeignText extends StdScalarDeserializer<String> {

	/** Reads text. */
	public ForeignText() {
		super(String.class);
	}

	@Override
	public String deserialize(JsonParser parser, DeserializationContext context) {
		return parser.getString();
	}

}
