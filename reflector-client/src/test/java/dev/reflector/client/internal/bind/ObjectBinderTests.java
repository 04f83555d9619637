package dev.reflector.client.internal.bind;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIdentityInfo;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.ObjectIdGenerators;
import dev.reflector.ObjectMeta;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.fixture.ForeignText;
import dev.reflector.fixture.LongForm;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ObjectBinder}: its objects equal those that Jackson makes from all
 * bytes.
 */
class ObjectBinderTests {

	private static final String TEXT = """
			{ "apiVersion":"v1","metadata" : {"name":"a","k:{\\"x\\":\\"y\\"}":{".":{}},"namespace":"ns\\u0031",
			"labels":{"app":"wäb","tier":"😀"},"managedFields":[{"f":{"f:a\\t":[1,-2.5e+3,true,false,null,[],{}]}},"ü"]},
			"spec":{"first":{"name":"x","other":1},"list":[{"name":"l1","more":{"a":[{"b":"c"}]}},null,{"name":"l2"}],
			"map":{"k1":{"name":"m1","x":0},"k2":{"name":"m2"}},"child":{"child":{"first":{"name":"deep"},"z":"}"}},
			"tree":{"any":["thing"]},"text":"\\\\"},"status":{"x":[[1],[2]],"y":"\\ud83d\\ude00"}}""";

	private static final int DAMAGES = Integer.getInteger("tests.damages", LongForm.times(400, 100));

	private static ObjectReader reader(JsonMapper mapper, Class<?> type) {
		return ServerObjectModule.mapper(mapper).readerFor(type);
	}

	/** Jackson alone, with as few settings as possible. */
	private static ObjectReader jackson(Class<?> type) {
		return JsonMapper.builder()
			.disable(tools.jackson.databind.DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
					tools.jackson.databind.DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
			.build()
			.readerFor(type);
	}

	private static Object read(ThrowingRead read) {
		try {
			return String.valueOf(read.read());
		}
		catch (RuntimeException ex) {
			return ex.getClass();
		}
	}

	private static <T> @Nullable T bind(ObjectBinder<T> binder, byte[] bytes, int from) {
		return binder.bind(new Frame(bytes, 0, bytes.length, bytes.length, false), from, bytes.length);
	}

	private static <T> Object bound(ObjectBinder<T> binder, byte[] bytes) {
		return read(() -> bind(binder, bytes, 0));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static <T> ObjectBinder<T> binder(Class<T> type) {
		return new ObjectBinder<>(reader(JsonMapper.builder().build(), type), type);
	}

	static Stream<Class<?>> types() {
		return Stream.of(Plain.class, Bean.class, Empty.class, WithMeta.class, Collecting.class, CollectingBean.class,
				Aliased.class, Ambiguous.class, AnyCase.class, Polymorphic.class, PolymorphicList.class,
				Unwrapping.class, Whole.class, Delegating.class, Factory.class, Including.class, Strict.class,
				Narrowed.class, Renamed.class, Stopping.class, Greedy.class, DelegatingList.class);
	}

	@ParameterizedTest
	@MethodSource("types")
	void objectsEqualThoseThatJacksonMakesFromAllBytes(Class<?> type) {
		ObjectBinder<?> binder = binder(type);
		ObjectReader jackson = jackson(type);
		List<String> texts = List.of(TEXT, "{}", "{\"metadata\":{}}", "{\"spec\":null}", "{\"spec\":[]}",
				"{\"SPEC\":{\"Text\":\"t\"},\"spec\":{\"text\":\"u\"}}",
				"{\"spec\":{\"text\":1},\"other\":{\"text\":2}}", "{\"\\u0073pec\":{\"text\":\"escaped\"}}",
				"{\"spec\":{\"text\":\"1\"},\"spec\":{\"text\":\"2\"}}",
				"{\"kind\":\"circle\",\"radius\":3,\"shapes\":[{\"kind\":\"circle\",\"radius\":4}]}",
				"{\"items\":[{\"name\":\"a\",\"more\":1}],\"other\":[]}",
				"{\"old\":\"o\",\"older\":{\"x\":1},\"text\":\"t\",\"inner_text\":\"i\"}", "null", "[]", "\"text\"");
		for (String text : texts) {
			assertThat(bound(binder, bytes(text))).as(text).isEqualTo(read(() -> jackson.readValue(bytes(text))));
		}
	}

	@ParameterizedTest
	@MethodSource("types")
	void damagedObjectsAreFoundAsJacksonFindsThem(Class<?> type) {
		ObjectBinder<?> binder = binder(type);
		ObjectReader reader = reader(JsonMapper.builder().build(), type);
		byte[] original = bytes(TEXT);
		byte[] replacements = { '"', '\\', '{', '}', '[', ']', ',', ':', '0', '-', '.', 'e', 'u', 't', ' ', '\n', 0, 31,
				(byte) 0x80, (byte) 0xC0, (byte) 0xED, (byte) 0xF0, (byte) 0xFF };
		Random random = new Random(7);
		for (int i = 0; i < DAMAGES; i++) {
			byte[] damaged = original.clone();
			for (int n = random.nextInt(2); n >= 0; n--) {
				damaged[random.nextInt(damaged.length)] = replacements[random.nextInt(replacements.length)];
			}
			assertThat(bound(binder, damaged)).as(() -> new String(damaged, StandardCharsets.UTF_8))
				.isEqualTo(read(() -> reader.readValue(damaged)));
		}
	}

	@Test
	void cutOffObjectsAreFoundAsJacksonFindsThem() {
		ObjectBinder<Plain> binder = binder(Plain.class);
		ObjectReader jackson = jackson(Plain.class);
		byte[] bytes = bytes(TEXT);
		for (int length = 0; length < bytes.length; length++) {
			byte[] cut = java.util.Arrays.copyOf(bytes, length);
			assertThat(bound(binder, cut)).isInstanceOf(Class.class).isEqualTo(read(() -> jackson.readValue(cut)));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "01", "1.", ".5", "+1", "-", "1e", "1e+", "nul", "nulll", "True", "NaN", "'a'", "\"\\x\"",
			"\"\\u12g4\"", "[1,]", "[,1]", "[1 2]", "{,}", "{\"a\"}", "{\"a\":1,}", "{\"a\" 1}", "{1:1}", "[}", "{]",
			"/*c*/1", "\"\t\"", "\"\u0001\"", "1 1", "" })
	void skippedPartsAreStillChecked(String value) {
		String text = "{\"other\":" + value + ",\"spec\":{\"text\":\"t\"}}";
		assertThat(bound(binder(Plain.class), bytes(text))).isInstanceOf(Class.class)
			.isEqualTo(read(() -> jackson(Plain.class).readValue(text)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "-0", "0.5", "-12.25e-3", "1E5", "null", "true", "false", "[]", "{}", "[ ]", "{ }",
			"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\ud800\"", "\"äöü€😀\"", "{\"ä\\\"\":{\"\\u00e4\":1}}",
			" [ 1 , 2 ] " })
	void validSkippedPartsDoNotMatter(String value) {
		String text = "{\"other\":" + value + ",\"spec\":{\"text\":\"t\"}}";
		Plain plain = bind(binder(Plain.class), bytes(text), 0);
		assertThat(plain).isNotNull();
		assertThat(plain.spec()).isNotNull();
		assertThat(plain.spec().text()).isEqualTo("t");
	}

	@Test
	void limitsOfTheParserHoldForSkippedParts() {
		JsonMapper mapper = JsonMapper.builder(JsonFactory.builder()
			.streamReadConstraints(
					StreamReadConstraints.builder().maxNestingDepth(5).maxNameLength(10).maxNumberLength(10).build())
			.build()).build();
		ObjectBinder<Plain> binder = new ObjectBinder<>(reader(mapper, Plain.class), Plain.class);
		assertThat(bound(binder, bytes("{\"other\":[[[[1]]]]}"))).isInstanceOf(String.class);
		Class<?> beyond = tools.jackson.core.exc.StreamConstraintsException.class;
		assertThat(bound(binder, bytes("{\"other\":[[[[[1]]]]]}"))).isEqualTo(beyond);
		assertThat(bound(binder, bytes("{\"other\":{\"12345678901\":1}}"))).isEqualTo(beyond);
		assertThat(bound(binder, bytes("{\"12345678901\":1}"))).isEqualTo(beyond);
		assertThat(bound(binder(Plain.class), bytes("{\"other\":" + "[".repeat(499) + "]".repeat(499) + "}")))
			.isInstanceOf(String.class);
		assertThat(bound(binder(Plain.class), bytes("{\"other\":" + "[".repeat(500) + "]".repeat(500) + "}")))
			.isEqualTo(beyond);
	}

	@Test
	void doubleNamesAreFoundWhereTheApplicationWantsThat() {
		JsonMapper mapper = JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
		ObjectBinder<Plain> binder = new ObjectBinder<>(reader(mapper, Plain.class), Plain.class);
		assertThat(bound(binder, bytes("{\"other\":1,\"other\":2}"))).isInstanceOf(Class.class);
	}

	@Test
	void handlersOfUnknownPropertiesAreAsked() {
		List<String> asked = new ArrayList<>();
		JsonMapper mapper = JsonMapper.builder()
			.addHandler(new tools.jackson.databind.deser.DeserializationProblemHandler() {

				@Override
				public boolean handleUnknownProperty(DeserializationContext context,
						tools.jackson.core.JsonParser parser, tools.jackson.databind.ValueDeserializer<?> deserializer,
						Object target, String name) {
					asked.add(name);
					parser.skipChildren();
					return true;
				}

			})
			.build();
		bind(new ObjectBinder<>(reader(mapper, Plain.class), Plain.class), bytes("{\"other\":{}}"), 0);
		assertThat(asked).containsExactly("other");
	}

	@Test
	void bytesAroundTheObjectAreIgnored() {
		byte[] bytes = bytes("}}" + TEXT + ",garbage");
		assertThat(bind(binder(Plain.class), bytes, 2)).isEqualTo(bind(binder(Plain.class), bytes(TEXT), 0));
	}

	@Test
	void objectsAreReadByManyThreadsAtOnce() {
		ObjectBinder<Plain> binder = binder(Plain.class);
		String expected = String.valueOf(bind(binder, bytes(TEXT), 0)).replace("name=a,", "");
		long different = java.util.stream.IntStream.range(0, 2000).parallel().filter((i) -> {
			byte[] bytes = bytes(TEXT.replace("\"name\":\"a\"", "\"name\":\"a" + i + "\""));
			String text = String.valueOf(bind(binder, bytes, 0));
			return !text.replace("name=a" + i + ",", "").equals(expected);
		}).count();
		assertThat(different).isZero();
	}

	@Test
	void manyObjectsOfWhichMostIsTakenAreRead() {
		ObjectBinder<Plain> binder = binder(Plain.class);
		for (int i = 0; i < 2000; i++) {
			byte[] bytes = bytes("{\"x\":[" + i + "],\"spec\":{\"text\":\"" + "t".repeat(50) + i + "\"}}");
			Plain plain = bind(binder, bytes, 0);
			assertThat(plain).isEqualTo(new Plain(null, new Spec(null, null, null, null, null, "t".repeat(50) + i)));
		}
	}

	@Test
	void differentObjectsAreReadOneAfterTheOther() {
		ObjectBinder<Weighed> binder = binder(Weighed.class);
		ObjectReader jackson = jackson(Weighed.class);
		TypeReading reading = TypeReading.of(reader(JsonMapper.builder().build(), Weighed.class), Weighed.class);
		assertThat(reading.closed()).isTrue();
		assertThat(reading.binding()).isNull();
		Random random = new Random(3);
		for (int i = 0; i < 700; i++) {
			String name = "n".repeat((i % 100 == 0) ? 10_000 : random.nextInt(500)) + i;
			String text = switch (random.nextInt(5)) {
				case 0 -> "{\"metadata\":{\"name\":[\"" + name + "\"]},\"other\":1}";
				case 1 -> "{\"metadata\":{\"labels\":{\"" + name + "\":{}}}}";
				default -> "{\"other\":[[]],\"metadata\":{\"name\":\"" + name + "\",\"labels\":{\"" + name
						+ "\":\"1\"}},\"rest\":\"" + name + "\"}";
			};
			assertThat(bound(binder, bytes(text))).as(text).isEqualTo(read(() -> jackson.readValue(bytes(text))));
		}
	}

	@Test
	void deserializersDoNotSeeObjectsThatWereReadBefore() {
		ObjectBinder<Related> binder = binder(Related.class);
		String first = "{\"other\":1,\"node\":{\"id\":\"1\",\"name\":\"a\"}}";
		for (int i = 0; i < 3; i++) {
			assertThat(bound(binder, bytes(first))).isEqualTo("Related[node=1 a]");
			assertThat(bound(binder, bytes("{\"other\":1,\"node\":\"1\"}"))).isInstanceOf(Class.class);
		}
	}

	@Test
	void onlyTypesWithoutForeignDeserializersShareAParser() {
		for (Class<?> type : List.of(Plain.class, Meta.class, WithMeta.class, Aliased.class, Related.class,
				Stopping.class, Polymorphic.class, Foreign.class, DelegatingList.class, Keys.class, Named.class)) {
			boolean closed = List.of(Meta.class, WithMeta.class, Named.class).contains(type);
			assertThat(TypeReading.of(reader(JsonMapper.builder().build(), type), type).closed()).as(type.getName())
				.isEqualTo(closed);
		}
	}

	private interface ThrowingRead {

		@Nullable Object read();

	}

	record Item(@Nullable String name) {

	}

	record Spec(@Nullable Item first, @Nullable List<Item> list, @Nullable Map<String, Item> map, @Nullable Spec child,
			@Nullable JsonNode tree, @Nullable String text) {

	}

	record Meta(@Nullable String name, @Nullable String namespace, @Nullable Map<String, String> labels) {

	}

	record Plain(@Nullable Meta metadata, @Nullable Spec spec) {

	}

	record Named(@Nullable Meta metadata) {

	}

	record Weighed(@Nullable Meta metadata, double weight) {

	}

	record Empty() {

	}

	record WithMeta(@Nullable ObjectMeta metadata) {

	}

	record Collecting(@Nullable Meta metadata, @JsonAnySetter @Nullable Map<String, Object> rest) {

	}

	record Aliased(@JsonAlias( {
			"old", "older" }) @Nullable JsonNode recent){

	}

	record Ambiguous(@Nullable Spec spec, @JsonAlias("spec") @Nullable Texts legacy) {

		record Texts(@Nullable String text) {

		}

	}

	@JsonFormat(with = JsonFormat.Feature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
	record AnyCase(@Nullable Spec sPEC) {

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind", defaultImpl = Square.class)
	@JsonSubTypes(@JsonSubTypes.Type(value = Circle.class, name = "circle"))
	interface Figure {

	}

	record Circle(int radius) implements Figure {

	}

	record Square(@Nullable Meta metadata) implements Figure {

	}

	record Polymorphic(@Nullable Figure spec, @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "name",
			defaultImpl = Item.class) @Nullable Object metadata) {

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind", defaultImpl = Base.class)
	@JsonSubTypes(@JsonSubTypes.Type(value = Derived.class, name = "circle"))
	static class Base {

		public @Nullable String name;

		@Override
		public String toString() {
			return "Base " + this.name;
		}

	}

	static class Derived extends Base {

		public int radius;

		@Override
		public String toString() {
			return "Derived " + this.radius;
		}

	}

	record PolymorphicList(@Nullable List<Base> shapes) {

	}

	record Unwrapping(@JsonUnwrapped @Nullable Item item, @JsonUnwrapped(prefix = "inner_") @Nullable Inner inner) {

	}

	record Inner(@Nullable String text) {

	}

	record Whole(@Nullable JsonNode metadata, @Nullable Object spec, Object @Nullable [] status) {

	}

	record Delegating(JsonNode tree) {

		@JsonCreator(mode = JsonCreator.Mode.DELEGATING)
		Delegating {
		}

	}

	/** A type whose factory returns a subclass with an additional property. */
	static class Factory {

		@Nullable Meta metadata;

		@JsonCreator
		static Factory of(@JsonProperty("metadata") @Nullable Meta metadata) {
			Factory factory = new Larger();
			factory.metadata = metadata;
			return factory;
		}

		@Override
		public String toString() {
			return "Factory " + this.metadata;
		}

	}

	static class Larger extends Factory {

		public @Nullable Spec spec;

		@Override
		public String toString() {
			return super.toString() + " " + this.spec;
		}

	}

	@JsonIncludeProperties("spec")
	record Including(@Nullable Meta metadata, @Nullable Spec spec) {

	}

	@JsonIgnoreProperties(value = "metadata", ignoreUnknown = false)
	record Strict(@Nullable Meta metadata, @Nullable Spec spec) {

	}

	record Narrowed(@JsonIgnoreProperties("labels") @Nullable Meta metadata, @Nullable Twice spec) {

		record Twice(@JsonIgnoreProperties( {
				"list", "map" }) @Nullable Spec child, @Nullable Spec first){

		}

	}

	record Renamed(@JsonProperty("spec") @Nullable Spec wanted, @JsonProperty("metadata") @Nullable Meta about) {

	}

	record Stopping(@JsonDeserialize(using = StopsEarly.class) @Nullable String spec, @Nullable Meta metadata) {

	}

	static final class StopsEarly extends tools.jackson.databind.ValueDeserializer<String> {

		@Override
		public String deserialize(tools.jackson.core.JsonParser parser, DeserializationContext context) {
			return "stopped";
		}

	}

	record Greedy(@JsonDeserialize(using = ReadsOn.class) @Nullable String spec, @Nullable Meta metadata) {

	}

	static final class ReadsOn extends tools.jackson.databind.ValueDeserializer<String> {

		@Override
		public String deserialize(tools.jackson.core.JsonParser parser, DeserializationContext context) {
			while (parser.nextToken() != null) {
				// skips everything
			}
			return "read on";
		}

	}

	record Foreign(@JsonDeserialize(using = ForeignText.class) @Nullable String text) {

	}

	record Keys(@JsonDeserialize(keyUsing = OddKeys.class) @Nullable Map<String, String> metadata) {

	}

	static final class OddKeys extends tools.jackson.databind.KeyDeserializer {

		@Override
		public Object deserializeKey(String key, DeserializationContext context) {
			return key;
		}

	}

	record DelegatingList(@Nullable Items items) {

	}

	/**
	 * A list with a default constructor, and a delegating creator that gets all
	 * properties of the elements.
	 */
	static final class Items extends ArrayList<Item> {

		private static final long serialVersionUID = 1;

		Items() {
		}

		@JsonCreator(mode = JsonCreator.Mode.DELEGATING)
		static Items of(List<Map<String, Object>> raw) {
			Items items = new Items();
			raw.forEach((item) -> items.add(new Item(String.valueOf(item))));
			return items;
		}

	}

	record Related(@JsonDeserialize(using = NodeReader.class) @Nullable Node node) {

	}

	@JsonIdentityInfo(generator = ObjectIdGenerators.PropertyGenerator.class, property = "id")
	static final class Node {

		public @Nullable String id;

		public @Nullable String name;

		@Override
		public String toString() {
			return this.id + " " + this.name;
		}

	}

	static final class NodeReader extends tools.jackson.databind.ValueDeserializer<Node> {

		@Override
		public Node deserialize(tools.jackson.core.JsonParser parser, DeserializationContext context) {
			return parser.readValueAs(Node.class);
		}

	}

	static final class Bean {

		private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

		public void setMetadata(@Nullable Meta metadata) {
			this.values.put("metadata", metadata);
		}

		@JsonProperty("spec")
		void wanted(@Nullable Spec spec) {
			this.values.put("spec", spec);
		}

		@Override
		public String toString() {
			return this.values.toString();
		}

	}

	static class CollectingBean {

		private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

		@JsonAnySetter
		void set(String name, @Nullable Object value) {
			this.values.put(name, value);
		}

		@Override
		public String toString() {
			return this.values.toString();
		}

	}

}
