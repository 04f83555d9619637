package dev.reflector.client.internal.bind;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import com.fasterxml.jackson.annotation.JsonFormat;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.PropertyMetadata;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.json.JsonMapper;

/**
 * A Jackson writer with the library's own settings. The Jackson configuration of the
 * application does not apply.
 */
final class PlainJson {

	/** The only instance. It is used for all types. */
	static final PlainJson INSTANCE = new PlainJson();

	private final ObjectWriter writer = JsonMapper.builder(new JsonFactory())
		.addModule(StoredValue.Serializer.module())
		.disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS, DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
		.build()
		.writerFor(StoredValue.class);

	private PlainJson() {
	}

	/**
	 * Writes a value as bytes.
	 * @param value the value, which writes itself
	 * @return JSON
	 */
	byte[] bytes(StoredValue value) {
		return this.writer.writeValueAsBytes(value);
	}

	private <R> R ask(Function<SerializationContext, R> question) {
		AtomicReference<R> answer = new AtomicReference<>();
		bytes((out, context) -> {
			answer.set(question.apply(context));
			out.writeNull();
		});
		return answer.get();
	}

	/**
	 * Returns the pattern in which the reader expects a value, such as a time.
	 * @param place the place of the value
	 * @param reader the settings of the reader
	 * @return a format with the pattern, or {@code null} if the reader expects the usual
	 * form
	 */
	static JsonFormat.@Nullable Value pattern(Place place, MapperConfig<?> reader) {
		BeanProperty property = place.property();
		JsonFormat.Value format = (property != null) ? property.findPropertyFormat(reader, place.type().getRawClass())
				: reader.getDefaultPropertyFormat(place.type().getRawClass());
		return (format != null && format.hasPattern()) ? JsonFormat.Value.forPattern(format.getPattern())
			.withLocale(format.getLocale())
			.withTimeZone(format.getTimeZone()) : null;
	}

	/**
	 * Returns a writer of values that uses Jackson's serializer of their type.
	 * @param type the type of the values
	 * @param pattern the pattern of times, or {@code null} for the usual form
	 * @return the writer
	 */
	ValueWriter writer(JavaType type, JsonFormat.@Nullable Value pattern) {
		BeanProperty property = (pattern != null) ? new Patterned(type, pattern) : null;
		ValueSerializer<Object> serializer = ask((context) -> context.findPrimaryPropertySerializer(type, property));
		return serializer::serialize;
	}

	/**
	 * Returns a writer of map keys that uses Jackson's serializer of their type.
	 * @param type the type of the keys
	 * @return the writer of keys
	 */
	ValueWriter.KeyNames keys(JavaType type) {
		ValueSerializer<Object> serializer = ask((context) -> context.findKeySerializer(type, null));
		return serializer::serialize;
	}

	/** A property without a member, which only has a type and a pattern. */
	private static final class Patterned extends BeanProperty.Std {

		private static final long serialVersionUID = 1L;

		private final JsonFormat.Value pattern;

		Patterned(JavaType type, JsonFormat.Value pattern) {
			super(PropertyName.NO_NAME, type, null, null, PropertyMetadata.STD_OPTIONAL);
			this.pattern = pattern;
		}

		@Override
		public JsonFormat.Value findPropertyFormat(MapperConfig<?> config, Class<?> type) {
			return this.pattern;
		}

	}

}
