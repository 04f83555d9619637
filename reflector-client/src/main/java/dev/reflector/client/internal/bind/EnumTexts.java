package dev.reflector.client.internal.bind;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.util.TokenBuffer;

/**
 * Writes each constant of an enum as a text that is read as the same constant again. The
 * text depends on annotations and settings, so candidates are tried with the reader.
 */
final class EnumTexts implements ValueWriter, ValueWriter.KeyNames {

	private final @Nullable JsonNode[] texts;

	private EnumTexts(@Nullable JsonNode[] texts) {
		this.texts = texts;
	}

	/**
	 * Finds the texts with the deserializer of values.
	 * @param type the enum
	 * @param reader reads constants of the enum
	 * @param context the context of the reader
	 * @param usual how Jackson writes a constant
	 * @return the texts
	 */
	static EnumTexts ofValues(Class<?> type, ValueDeserializer<?> reader, DeserializationContext context,
			Function<Object, @Nullable JsonNode> usual) {
		return of(type, usual, (text) -> {
			try (TokenBuffer buffer = TokenBuffer.forGeneration()) {
				if (text.isString()) {
					buffer.writeString(text.stringValue());
				}
				else {
					buffer.writeNumber(text.intValue());
				}
				return reader.deserialize(buffer.asParserOnFirstToken(context), context);
			}
		});
	}

	/**
	 * Finds the texts with the deserializer of keys.
	 * @param type the enum
	 * @param reader reads constants of the enum as keys
	 * @param context the context of the reader
	 * @param usual how Jackson writes a constant
	 * @return the texts
	 */
	static EnumTexts ofKeys(Class<?> type, KeyDeserializer reader, DeserializationContext context,
			Function<Object, @Nullable JsonNode> usual) {
		return of(type, usual, (text) -> reader.deserializeKey(text.asString(), context));
	}

	private static EnumTexts of(Class<?> type, Function<Object, @Nullable JsonNode> usual,
			Function<JsonNode, @Nullable Object> reader) {
		Object[] constants = type.getEnumConstants();
		@Nullable JsonNode[] texts = new JsonNode[constants.length];
		for (int index = 0; index < constants.length; index++) {
			Object constant = constants[index];
			texts[index] = candidates((Enum<?>) constant, usual.apply(constant))
				.filter((text) -> isRead(reader, text, constant))
				.findFirst()
				.orElse(null);
		}
		return new EnumTexts(texts);
	}

	private static Stream<JsonNode> candidates(Enum<?> constant, @Nullable JsonNode usual) {
		List<JsonNode> candidates = new ArrayList<>();
		if (usual != null && (usual.isString() || usual.isInt())) {
			candidates.add(usual);
		}
		Stream.of(constant.name(), constant.toString())
			.flatMap((text) -> Stream.of(text, text.toLowerCase(Locale.ROOT), text.toUpperCase(Locale.ROOT)))
			.map(JsonNodeFactory.instance::stringNode)
			.forEach(candidates::add);
		candidates.add(JsonNodeFactory.instance.numberNode(constant.ordinal()));
		return candidates.stream();
	}

	private static boolean isRead(Function<JsonNode, @Nullable Object> reader, JsonNode text, Object constant) {
		try {
			return reader.apply(text) == constant;
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	/** Returns whether at least one constant has a text, or the enum has no constants. */
	boolean isUsable() {
		return this.texts.length == 0 || Stream.of(this.texts).anyMatch((text) -> text != null);
	}

	@Override
	public void write(Object value, JsonGenerator out, SerializationContext context) {
		text(value).serialize(out, context);
	}

	@Override
	public void writeName(Object key, JsonGenerator out, SerializationContext context) {
		out.writeName(text(key).asString());
	}

	private JsonNode text(Object constant) {
		JsonNode text = this.texts[((Enum<?>) constant).ordinal()];
		if (text == null) {
			throw new IllegalArgumentException("no text is read as this constant");
		}
		return text;
	}

}
