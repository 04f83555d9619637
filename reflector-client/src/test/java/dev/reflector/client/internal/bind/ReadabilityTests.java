package dev.reflector.client.internal.bind;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.reflector.GenericResource;
import dev.reflector.ObjectMeta;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.deser.DeserializationProblemHandler;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Readability}: unreadable types are recognized before the first object.
 */
class ReadabilityTests {

	private static @Nullable String problem(JsonMapper mapper, Class<?> type) {
		return Readability.problem(ServerObjectModule.mapper(mapper).readerFor(type), type);
	}

	private static JsonMapper plain() {
		return JsonMapper.builder().build();
	}

	static Stream<Class<?>> unreadable() {
		return Stream.of(Component.class, Nested.class, Listed.class, Mapped.class, Arrayed.class, Perhaps.class,
				Hidden.class, Colliding.class, Keyed.class, Shape.class);
	}

	@ParameterizedTest
	@MethodSource("unreadable")
	void unreadableTypesAreDetected(Class<?> type) {
		assertThat(problem(plain(), type)).isNotNull();
	}

	@Test
	void theProblemHasJacksonsMessage() {
		assertThat(problem(plain(), Nested.class)).startsWith("'parts[].shape': Cannot construct instance of ")
			.contains("Shape")
			.contains("abstract types either need to be mapped to concrete types");
		assertThat(problem(plain(), Hidden.class)).contains("no Creators, like default constructor, exist");
		assertThat(problem(plain(), Colliding.class)).contains("Conflicting setter definitions");
	}

	static Stream<Class<?>> readable() {
		return Stream.of(GenericResource.class, Readable.class, Polymorphic.class, Recursive.class, Generic.class,
				Bean.class, ObjectBinderTests.Bean.class, ObjectBinderTests.Collecting.class,
				ObjectBinderTests.Polymorphic.class, ObjectBinderTests.PolymorphicList.class,
				ObjectBinderTests.Unwrapping.class, ObjectBinderTests.Delegating.class, ObjectBinderTests.Factory.class,
				ObjectBinderTests.Related.class, ObjectBinderTests.Foreign.class);
	}

	@ParameterizedTest
	@MethodSource("readable")
	void readableTypesHaveNoProblem(Class<?> type) {
		assertThat(problem(plain(), type)).isNull();
	}

	@Test
	void settingsOfTheApplicationsMapperCount() {
		SimpleModule mapping = new SimpleModule().addAbstractTypeMapping(Shape.class, Circle.class);
		assertThat(problem(JsonMapper.builder().addModule(mapping).build(), Component.class)).isNull();
		JsonMapper handled = JsonMapper.builder().addHandler(new DeserializationProblemHandler() {

			@Override
			public Object handleMissingInstantiator(DeserializationContext context, Class<?> type,
					ValueInstantiator instantiator, @Nullable JsonParser parser, String message) {
				return new Circle(1);
			}

		}).build();
		assertThat(problem(handled, Component.class)).isNull();
	}

	interface Shape {

	}

	record Circle(int radius) implements Shape {

	}

	record Component(ObjectMeta metadata, Shape shape) {

	}

	record Nested(ObjectMeta metadata, List<Component> parts) {

	}

	record Listed(ObjectMeta metadata, List<Shape> shapes) {

	}

	record Mapped(ObjectMeta metadata, Map<String, Shape> shapes) {

	}

	record Arrayed(ObjectMeta metadata, Shape[] shapes) {

	}

	record Perhaps(ObjectMeta metadata, Optional<Shape> shape) {

	}

	record Keyed(ObjectMeta metadata, Map<Circle, String> names) {

	}

	/** A type without annotations that this version of Jackson understands. */
	static final class Hidden {

		private final ObjectMeta metadata;

		private Hidden(ObjectMeta metadata) {
			this.metadata = metadata;
		}

		public ObjectMeta getMetadata() {
			return this.metadata;
		}

	}

	static class Colliding {

		public void setPart(Bean part) {
		}

		public void setPart(Circle part) {
		}

	}

	record Readable(ObjectMeta metadata, Object any, JsonNode tree, Number number, CharSequence text,
			Map<String, Object> open, @JsonDeserialize(using = Circles.class) Shape own,
			@JsonDeserialize(as = Circle.class) Shape mapped,
			@JsonDeserialize(contentAs = Circle.class) List<Shape> each,
			@JsonDeserialize(contentUsing = Circles.class) Map<String, Shape> byName) {

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	@JsonSubTypes(@JsonSubTypes.Type(Square.class))
	interface Typed {

	}

	record Square(int side) implements Typed {

	}

	record Polymorphic(ObjectMeta metadata, Typed typed, List<Typed> all, Map<String, Typed> byName,
			Optional<Typed> perhaps, @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Shape here) {

	}

	record Recursive(ObjectMeta metadata, @Nullable Recursive child, List<Recursive> children) {

	}

	record Generic<T>(ObjectMeta metadata, T value, List<T> values) {

	}

	static class Bean {

		public @Nullable ObjectMeta metadata;

	}

	static final class Circles extends StdDeserializer<Shape> {

		Circles() {
			super(Shape.class);
		}

		@Override
		public Shape deserialize(JsonParser parser, DeserializationContext context) {
			parser.skipChildren();
			return new Circle(1);
		}

	}

}
