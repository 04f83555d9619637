package dev.reflector.client;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JacksonStdImpl;
import tools.jackson.databind.deser.jdk.StringDeserializer;

/**
 * Reads strings as Jackson does, but gives out one instance for what has been seen
 * before: of namespaces, nodes, phases, and values of labels there are far fewer than
 * objects. Each property has strings of its own, so that names and versions, of which
 * there are as many as objects, displace nothing.
 */
@JacksonStdImpl
final class SharedStrings extends StringDeserializer {

	private final StringPool pool = new StringPool();

	@Override
	public ValueDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty property) {
		return new SharedStrings();
	}

	@Override
	public String deserialize(JsonParser parser, DeserializationContext context) {
		if (!parser.hasToken(JsonToken.VALUE_STRING) || !this.pool.isOpen()) {
			return super.deserialize(parser, context);
		}
		int length = parser.getStringLength();
		return (length <= StringPool.MAX_LENGTH)
				? this.pool.share(parser.getStringCharacters(), parser.getStringOffset(), length) : parser.getString();
	}

}
