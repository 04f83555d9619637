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
 * Reads strings as Jackson does, but returns the same instance for equal strings. This
 * saves memory, because there are far fewer namespaces, nodes, phases and label values
 * than objects. Each property has its own pool, so names and versions, which differ for
 * each object, do not displace the strings of other properties.
 * <p>
 * The type argument is {@code Object}. With {@code String}, each method would have a
 * bridge method, and the JIT compiler would inline all code into both methods.
 */
@JacksonStdImpl
final class SharedStrings extends StdScalarDeserializer<Object> {

	private final StringPool pool = new StringPool();

	SharedStrings() {
		super(String.class);
	}

	/** Returns the pool. The binding of the property uses the same pool. */
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

	/** Reads a string without type information, because a JSON string needs none. */
	@Override
	public Object deserializeWithType(JsonParser parser, DeserializationContext context, TypeDeserializer type) {
		return deserialize(parser, context);
	}

}
