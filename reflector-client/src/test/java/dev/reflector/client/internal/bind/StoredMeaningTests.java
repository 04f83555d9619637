package dev.reflector.client.internal.bind;

import java.time.Instant;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.List;
import java.util.TimeZone;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.reflector.client.fixture.IntReaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests that each change is noticed that gives stored bytes another meaning, and that
 * nothing is noticed while there is none.
 */
class StoredMeaningTests {

	private static String digest(Class<?> type, Consumer<JsonMapper.Builder> settings) {
		JsonMapper.Builder builder = JsonMapper.builder();
		settings.accept(builder);
		return StoredMeaning.digest(ServerObjectModule.mapper(builder.build()).readerFor(type), type);
	}

	private static String digest(Class<?> type) {
		return digest(type, (builder) -> {
		});
	}

	private static SimpleModule reading(ValueDeserializer<Size> deserializer) {
		return new SimpleModule().addDeserializer(Size.class, deserializer);
	}

	@Test
	void theSameCodeAndSettingsHaveTheSameDigest() {
		Consumer<JsonMapper.Builder> settings = (builder) -> builder.addModule(reading(new IntReaders.One<>(Size::new)))
			.addMixIn(Shape.class, Renamed.class)
			.defaultTimeZone(TimeZone.getTimeZone("Europe/Berlin"));
		assertThat(digest(Shape.class, settings)).isEqualTo(digest(Shape.class, settings)).matches("[0-9a-f]{16}");
	}

	static List<Arguments> settings() {
		return List.of(
				arguments("time zone", setting((builder) -> builder.defaultTimeZone(TimeZone.getTimeZone("GMT+5")))),
				arguments("date format",
						setting((builder) -> builder.defaultDateFormat(new SimpleDateFormat("dd.MM.yyyy")))),
				arguments("date feature",
						setting((builder) -> builder.disable(DateTimeFeature.READ_DATE_TIMESTAMPS_AS_NANOSECONDS))),
				arguments("feature",
						setting((builder) -> builder.enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY))),
				arguments("enum names",
						setting((builder) -> builder.enumNamingStrategy(EnumNamingStrategies.LOWER_CASE))),
				arguments("format of a type",
						setting((builder) -> builder.withConfigOverride(Instant.class,
								(override) -> override.setFormat(JsonFormat.Value.forPattern("yyyy"))))),
				arguments("mix-in", setting((builder) -> builder.addMixIn(Shape.class, Renamed.class))),
				arguments("deserializer",
						setting((builder) -> builder.addModule(reading(new IntReaders.One<>(Size::new))))));
	}

	private static Consumer<JsonMapper.Builder> setting(Consumer<JsonMapper.Builder> setting) {
		return setting;
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("settings")
	void anotherSettingIsNoticed(String what, Consumer<JsonMapper.Builder> setting) {
		assertThat(digest(Shape.class, setting)).isNotEqualTo(digest(Shape.class));
	}

	@Test
	void anotherDeserializerOfTheSameModuleIsNoticed() {
		assertThat(digest(Shape.class, (builder) -> builder.addModule(reading(new IntReaders.One<>(Size::new)))))
			.isNotEqualTo(
					digest(Shape.class, (builder) -> builder.addModule(reading(new IntReaders.Other<>(Size::new)))));
	}

	static Stream<Arguments> declarations() {
		return Stream.of(arguments(First.Renamed.class, Second.Renamed.class),
				arguments(First.Constants.class, Second.Constants.class),
				arguments(First.Created.class, Second.Created.class),
				arguments(First.Sealed.class, Second.Sealed.class), arguments(First.Named.class, Second.Named.class));
	}

	@ParameterizedTest
	@MethodSource("declarations")
	void anotherDeclarationIsNoticed(Class<?> first, Class<?> second) {
		assertThat(first.getSimpleName()).isEqualTo(second.getSimpleName());
		assertThat(digest(first)).isNotEqualTo(digest(second));
	}

	record Shape(Size size, Date date, Instant instant, Color color) {

	}

	record Size(int value) {

	}

	enum Color {

		BLUE, GREEN

	}

	/** A mix-in. */
	interface Renamed {

		@JsonProperty("dimension")
		Size size();

	}

	/** Types of a release. */
	static final class First {

		static class Renamed {

			private int size;

			@JsonProperty("size")
			public int getSize() {
				return this.size;
			}

		}

		record Constants(Level level) {

			enum Level {

				LOW, HIGH

			}

		}

		record Created(String text) {

			@JsonCreator
			static Created of(@JsonProperty("one") String text) {
				return new Created(text);
			}

		}

		@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
		sealed interface Sealed permits Part {

		}

		record Part(int size) implements Sealed {

		}

		@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
		@JsonSubTypes(@JsonSubTypes.Type(name = "item", value = Item.class))
		interface Named {

		}

		record Item(int size) implements Named {

		}

	}

	/** The same types in the next release. */
	static final class Second {

		static class Renamed {

			private int size;

			@JsonProperty("dimension")
			public int getSize() {
				return this.size;
			}

		}

		record Constants(Level level) {

			enum Level {

				@JsonProperty("small")
				LOW, HIGH

			}

		}

		record Created(String text) {

			@JsonCreator
			static Created of(@JsonProperty("other") String text) {
				return new Created(text);
			}

		}

		@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
		sealed interface Sealed permits Part {

		}

		record Part(long size) implements Sealed {

		}

		@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
		@JsonSubTypes(@JsonSubTypes.Type(name = "item", value = Item.class))
		interface Named {

		}

		record Item(long size) implements Named {

		}

	}

}
