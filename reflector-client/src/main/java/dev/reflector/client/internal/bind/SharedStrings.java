package dev.reflector.client.internal.bind;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JacksonStdImpl;
import tools.jackson.databind.deser.jdk.StringDeserializer;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.jsontype.TypeDeserializer;
import tools.jackson.databind.type.LogicalType;

/**
 * Reads strings as Jackson does, but gives out one instance for what has been seen
 * before: of namespaces, nodes, phases, and values of labels there are far fewer than
 * objects. Each property has strings of its own, so that names and versions, of which
 * there are as many as objects, displace nothing.
 * <p>
 * No deserializer of {@code String} by its type argument: that has two methods for each
 * call, both of which would be compiled with all that is in them.
 */
@JacksonStdImpl
final class SharedStrings extends StdScalarDeserializer<Object> {

	private final StringPool pool = new StringPool();

	SharedStrings() {
		super(String.class);
	}

	/** What gives out the strings, whoever reads them. */
	StringPool pool() {
		return this.pool;
	}

	@Override
	public boolean isCachable() {
		return true;
	}

	@Override
	public LogicalType logicalType() {
		return LogicalType.Textual;
	}

	@Override
	public Object getEmptyValue(DeserializationContext context) {
		return "";
	}

	@Override
	public ValueDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty property) {
		return new SharedStrings();
	}

	@Override
	public Object deserialize(JsonParser parser, DeserializationContext context) {
		if (!parser.hasToken(JsonToken.VALUE_STRING) || !this.pool.isOpen()) {
			return StringDeserializer.instance.deserialize(parser, context);
		}
		int length = parser.getStringLength();
		return (length <= StringPool.MAX_LENGTH && length <= parser.streamReadConstraints().getMaxStringLength())
				? this.pool.share(parser.getStringCharacters(), parser.getStringOffset(), length) : parser.getString();
	}

	/** A string tells its type by being one. */
	@Override
	public Object deserializeWithType(JsonParser parser, DeserializationContext context, TypeDeserializer type) {
		return deserialize(parser, context);
	}

}
