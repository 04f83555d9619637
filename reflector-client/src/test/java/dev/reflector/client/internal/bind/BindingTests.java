package dev.reflector.client.internal.bind;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonMerge;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import dev.reflector.ObjectMeta;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.JsonSkipper;
import dev.reflector.fixture.LongForm;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.util.AccessPattern;
import tools.jackson.databind.util.StdConverter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests {@link Binding} and {@link BindingFinder}: which types are read without a parser,
 * and that the objects equal those that Jackson reads.
 */
class BindingTests {

	private static final String TEXT = """
			{"apiVersion":"v1", "kind":"Thing","metadata":{"name":"a","namespace":"team","uid":"u-1",\
			"resourceVersion":"17","generation":3,"creationTimestamp":"2026-02-28T23:59:58Z",\
			"deletionTimestamp":null,"labels":{"app":"wäb","tier":"😀","none":""},"annotations":{\
			"last":"{\\"a\\":[1,\\"\\\\n\\\\u00e4\\"]}\\n"},"finalizers":["x/y","\\u007a"],\
			"ownerReferences":[{"kind":"K","name":"n","controller":true,"blockOwnerDeletion":false},{}],\
			"managedFields":[{"f":{"f:a":{}}}]},"count":-12,"total" : 123456789012 ,"ratio":[0.5,-1e3],"open":false,
			"at":"2026-01-02T03:04:05.678901Z","parts":[ {"name":"p1","number":7} , {"part":{"name":"p2"}} , {} ],
			"byName":{"one":{"name":"1"},"two":{}},"texts":[],"more":{ },"plain":"text"}""";

	private static final int DAMAGES = Integer.getInteger("tests.damages", LongForm.times(600, 80));

	private static final String LONG = "x".repeat(101);

	private static ObjectReader jackson(JsonMapper mapper, Class<?> type) {
		return mapper.rebuild()
			.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
					DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
			.build()
			.readerFor(type);
	}

	private static JsonMapper plain() {
		return JsonMapper.builder().build();
	}

	private static <T> Bound<T> bound(JsonMapper mapper, Class<T> type) {
		return new Bound<>(ServerObjectModule.mapper(mapper).readerFor(type), type);
	}

	private static boolean binds(JsonMapper mapper, Class<?> type) {
		return bound(mapper, type).binding() != null;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static Frame assumed(byte[] bytes) {
		return Frame.assumed(bytes, 0, bytes.length);
	}

	private static Object outcome(Read read) {
		try {
			return String.valueOf(read.read());
		}
		catch (RuntimeException ex) {
			return ex.getClass();
		}
	}

	static Stream<Class<?>> types() {
		return Stream.of(Thing.class, Part.class, WithMeta.class, Aliased.class, Demanding.class, Renamed.class,
				Nothing.class, Checked.class, Wrapped.class, Constant.class, Sets.class, Legacy.class, Ignoring.class,
				Including.class, Emptying.class, ReadOnly.class, Formatted.class, Doubles.class, Enumerated.class,
				Odd.class, AnyCase.class, Nested.class, Generic.class, Created.class, Merged.class, Linked.class,
				Inner.class, Skipping.class, Failing.class, Converted.class, Colliding.class, Kept.class, Typed.class,
				CaseAliased.class, IgnoredAlias.class, Unwritable.class);
	}

	@ParameterizedTest
	@MethodSource("types")
	void objectsAreThoseThatJacksonMakes(Class<?> type) {
		Bound<?> bound = bound(plain(), type);
		ObjectReader jackson = jackson(plain(), type);
		for (String text : List.of(TEXT, "{}", " { } ", "{\"count\":0}", "{\"count\":-0}", "{\"count\":999999999}",
				"{\"count\":2147483647}", "{\"count\":2147483648}", "{\"count\":-2147483648}",
				"{\"count\":-2147483649}", "{\"count\":1000680000}", "{\"total\":9223372036854775807}",
				"{\"total\":-9223372036854775809}", "{\"count\":12345678901234567890123456789}",
				"{\"Plain\":\"a\",\"KIND\":\"b\"}", "{\"PLAIN\":\"a\"}", "{\"?\":\"a\"}",
				"{\"parts\":[{\"kind\":\"x\",\"name\":\"a\"}]}", "{\"texts\":[[\"a\"],[]]}",
				"{\"more\":{\"a\":[\"b\"]}}", "{\"parts\":[{\"a\":1},{}]}",
				"{\"byName\":{\"a\":\"2026-01-01T00:00:00Z\"}}", "{\"part\":{\"NAME\":\"x\"}}",
				"{\"part\":{\"naME\":\"x\"}}", "{\"count\":1.0}", "{\"count\":1e2}", "{\"count\":\"5\"}",
				"{\"count\":null}", "{\"count\":true}", "{\"count\":\"\"}", "{\"total\":null}",
				"{\"total\":-9223372036854775808}", "{\"total\":9223372036854775808}", "{\"total\":999999999999999999}",
				"{\"open\":\"true\"}", "{\"open\":1}", "{\"open\":null}", "{\"open\":truth}", "{\"plain\":1}",
				"{\"plain\":true}", "{\"plain\":null}", "{\"plain\":[]}", "{\"plain\":{}}", "{\"plain\":\"\"}",
				"{\"plain\":\"a\",\"plain\":\"b\"}", "{\"plain\":\"a\",\"old\":\"b\"}", "{\"old\":\"b\"}",
				"{\"at\":\"\"}", "{\"at\":\" 2026-01-01T00:00:00Z\"}", "{\"at\":\"2026-01-01T00:00:00+00:00\"}",
				"{\"at\":\"2026-01-01T00:00:00+0200\"}", "{\"at\":\"2026-02-29T00:00:00Z\"}",
				"{\"at\":\"2024-02-29T24:00:00Z\"}", "{\"at\":\"2016-12-31T23:59:60Z\"}",
				"{\"at\":\"2026-13-01T00:00:00Z\"}", "{\"at\":\"0000-01-01T00:00:00Z\"}",
				"{\"at\":\"2026-01-01T00:60:00Z\"}", "{\"at\":\"2026-01-01T00:00:00.1Z\"}",
				"{\"at\":\"2026-01-01T00:00:00.Z\"}", "{\"at\":\"2026-01-01T00:00:00.1234567891Z\"}",
				"{\"at\":\"2026-01-01t00:00:00z\"}", "{\"at\":\"2026-01-01T00:00:00\"}", "{\"at\":\"2026-01-01\"}",
				"{\"at\":1767225600}", "{\"at\":\"1767225600.5\"}", "{\"at\":[1]}", "{\"texts\":null}",
				"{\"texts\":[null]}", "{\"texts\":[1,true]}", "{\"texts\":\"one\"}", "{\"texts\":\"\"}",
				"{\"texts\":{}}", "{\"parts\":[null]}", "{\"parts\":[[]]}", "{\"parts\":{}}", "{\"more\":{\"a\":null}}",
				"{\"more\":{\"a\":1}}", "{\"more\":{\"a\":\"1\",\"a\":\"2\"}}", "{\"more\":{\"\":\"\"}}",
				"{\"more\":{\"\\u0061\":\"b\",\"ä\":\"ö\"}}", "{\"more\":[]}", "{\"more\":\"\"}",
				"{\"byName\":{\"a\":{\"name\":1}}}", "{\"byName\":{\"a\":null}}", "{\"\\u0070lain\":\"escaped\"}",
				"{\"plain\":\"\\ud83d\\ude00 \\ud83d \\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\"}", "{\"plain\":\"\\x\"}",
				"{\"plain\":\"\\u12g4\"}", "{\"plain\":\"a\tb\"}", "{\"plain\":nul}", "{\"plain\":\"a\"} rest",
				"{\"metadata\":{\"generation\":null,\"labels\":null,\"finalizers\":[null,\"a\"]}}",
				"{\"metadata\":{\"ownerReferences\":[{\"controller\":null}]}}", "{,}", "{\"plain\":\"a\",}", "[]",
				"null", "\"\"", "{\"plain\" \"a\"}", "{\"texts\":[\"a\",]}", "{\"texts\":[,]}", "{\"texts\":[\"a\"}",
				"{\"more\":{\"a\":\"b\",}}", "{\"more\":{\"a\"}}", "{\"more\":{\"a\":\"b\"]}", "{\"more\":{a:1}}",
				"{\"more\":" + labels(17) + "}", "{\"more\":" + labels(16) + "}",
				"{\"texts\":[\"" + "é".repeat(80) + "\",\"" + "é".repeat(80) + "\"]}")) {
			assertThat(bound.read(text)).as(text).isEqualTo(outcome(() -> jackson.readValue(text)));
		}
	}

	private static String labels(int count) {
		return IntStream.range(0, count)
			.mapToObj((i) -> "\"k" + i + "\":\"v" + i + "\"")
			.collect(Collectors.joining(",", "{", "}"));
	}

	@ParameterizedTest
	@MethodSource("types")
	void damageIsFoundAsJacksonFindsIt(Class<?> type) {
		Bound<?> bound = bound(plain(), type);
		Binding binding = bound.binding();
		ObjectReader jackson = jackson(plain(), type);
		byte[] original = bytes(TEXT);
		byte[] replacements = { '"', '\\', '{', '}', '[', ']', ',', ':', '0', '9', '-', '.', 'e', 'u', 'n', 't', ' ',
				'\n', 0, 31, (byte) 0x80, (byte) 0xC3, (byte) 0xED, (byte) 0xF0, (byte) 0xFF };
		Random random = new Random(11);
		int made = 0;
		// the text has values of other types for these
		boolean other = type == Nested.class || type == Generic.class;
		int times = other ? Math.max(DAMAGES, 1000) : DAMAGES;
		for (int i = 0; i < times; i++) {
			byte[] damaged = original.clone();
			for (int n = random.nextInt(2); n >= 0; n--) {
				damaged[random.nextInt(damaged.length)] = replacements[random.nextInt(replacements.length)];
			}
			Object expected = outcome(() -> jackson.readValue(damaged));
			assertThat(bound.read(damaged)).as(() -> new String(damaged, StandardCharsets.UTF_8)).isEqualTo(expected);
			made += isMade(binding, damaged, damaged.length, expected) ? 1 : 0;
		}
		assertThat(made).isGreaterThanOrEqualTo((binding == null) ? 0 : (other ? 1 : times / 15));
	}

	/** Without falling back to a parser. */
	private static boolean isMade(@Nullable Binding binding, byte[] bytes, int end, Object expected) {
		if (binding == null) {
			return false;
		}
		BoundText text = new BoundText(new JsonSkipper.Limits(500, 1000, 1000));
		text.over(bytes, end);
		Object object = outcome(() -> binding.read(text, text.skipper().space(0), 0));
		boolean made = text.position() >= 0 && object instanceof String;
		if (made) {
			assertThat(object).as(() -> new String(bytes, 0, end, StandardCharsets.UTF_8)).isEqualTo(expected);
		}
		return made;
	}

	@ParameterizedTest
	@MethodSource("types")
	void cutOffObjectsAreFoundAsJacksonFindsThem(Class<?> type) {
		Bound<?> bound = bound(plain(), type);
		ObjectReader jackson = jackson(plain(), type);
		byte[] bytes = bytes(TEXT);
		int step = (type == Thing.class) ? 1 : LongForm.times(3, 11);
		for (int length = 0; length < bytes.length; length += step) {
			byte[] cut = Arrays.copyOf(bytes, length);
			assertThat(bound.read(cut)).isInstanceOf(Class.class).isEqualTo(outcome(() -> jackson.readValue(cut)));
			// bytes after the end are not read
			assertThat(isMade(bound.binding(), bytes, length, "")).isFalse();
		}
	}

	@Test
	void typesOfStringsNumbersTimesAndContainersOfTheseAreBound() {
		assertThat(Stream
			.of(Thing.class, Part.class, WithMeta.class, Aliased.class, Demanding.class, Renamed.class, Checked.class,
					Wrapped.class, ObjectMeta.class, Nested.class, Generic.class, Created.class, Merged.class,
					Skipping.class, Kept.class, CaseAliased.class)
			.filter((type) -> !binds(plain(), type))).isEmpty();
	}

	@Test
	void otherTypesAreNotBound() {
		assertThat(Stream
			.of(Constant.class, Sets.class, Legacy.class, Ignoring.class, Including.class, Emptying.class,
					Injected.class, ReadOnly.class, Formatted.class, Doubles.class, Enumerated.class, Odd.class,
					AnyCase.class, Linked.class, Inner.class, Failing.class, Converted.class, Colliding.class,
					Typed.class, IgnoredAlias.class, Unwritable.class, InjectedField.class, Wider.class,
					ObjectBinderTests.Bean.class, ObjectBinderTests.Collecting.class, ObjectBinderTests.AnyCase.class,
					ObjectBinderTests.Polymorphic.class, ObjectBinderTests.PolymorphicList.class,
					ObjectBinderTests.Unwrapping.class, ObjectBinderTests.Delegating.class,
					ObjectBinderTests.DelegatingList.class, ObjectBinderTests.Factory.class,
					ObjectBinderTests.Related.class, ObjectBinderTests.Keys.class, ObjectBinderTests.Foreign.class,
					ObjectBinderTests.Stopping.class, String.class, Map.class)
			.filter((type) -> binds(plain(), type))).isEmpty();
	}

	@Test
	void settingsOfTheApplicationsMapperAreFollowed() {
		SimpleModule module = new SimpleModule().addDeserializer(String.class, new Shouting());
		for (JsonMapper mapper : List.of(JsonMapper.builder().addModule(module).build(),
				JsonMapper.builder().enable(DateTimeFeature.TRUNCATE_TO_MSECS_ON_READ).build(),
				JsonMapper.builder()
					.changeDefaultNullHandling((none) -> JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY))
					.build(),
				JsonMapper.builder()
					.withConfigOverride(Instant.class,
							(override) -> override.setFormat(JsonFormat.Value.forPattern("yyyy").withLenient(true)))
					.build(),
				JsonMapper.builder().enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY).build(),
				JsonMapper.builder().enable(DeserializationFeature.UNWRAP_SINGLE_VALUE_ARRAYS).build(),
				JsonMapper.builder().enable(DeserializationFeature.ACCEPT_EMPTY_STRING_AS_NULL_OBJECT).build())) {
			ObjectReader jackson = jackson(mapper, Thing.class);
			Bound<Thing> bound = bound(mapper, Thing.class);
			for (String text : List.of(TEXT, "{}", "{\"plain\":[\"a\"],\"texts\":\"b\",\"parts\":{}}",
					"{\"part\":\"\",\"metadata\":\"\"}", "{\"metadata\":{\"labels\":null},\"plain\":null}")) {
				assertThat(bound.read(text)).as(text).isEqualTo(outcome(() -> jackson.readValue(text)));
			}
		}
		assertThat(binds(JsonMapper.builder().addModule(module).build(), Thing.class)).isFalse();
	}

	@Test
	void limitsOfTheParserHold() {
		JsonMapper mapper = JsonMapper
			.builder(JsonFactory.builder()
				.streamReadConstraints(StreamReadConstraints.builder()
					.maxNestingDepth(3)
					.maxNameLength(10)
					.maxNumberLength(5)
					.maxStringLength(100)
					.build())
				.build())
			.build();
		Bound<Thing> bound = bound(mapper, Thing.class);
		assertThat(bound.binding()).isNotNull();
		for (String text : List.of("{\"plain\":\"" + LONG + "\"}", "{\"texts\":[\"" + LONG + "\"]}",
				"{\"more\":{\"1234567890\":\"\"}}", "{\"more\":{\"12345678901\":\"\"}}",
				"{\"more\":{\"123456789012\":\"\"}}", "{\"count\":12345}", "{\"count\":123456}",
				"{\"parts\":[{\"name\":\"a\"}]}", "{\"parts\":[{\"part\":{}}]}", "{\"part\":{\"part\":{\"part\":{}}}}",
				"{\"byName\":{\"a\":{\"part\":{}}}}", "{\"byName\":{\"a\":{}}}", "{\"other\":[[[]]]}",
				"{\"other\":[[]]}", "{\"parts\":[{\"part\":null}]}", "{\"plain\":[[[]]]}")) {
			assertThat(bound.read(text)).as(text)
				.isEqualTo(outcome(() -> jackson(mapper, Thing.class).readValue(bytes(text))));
		}
		assertThat(bound.read("{\"plain\":\"" + LONG + "\"}")).isEqualTo(StreamConstraintsException.class);
	}

	@ParameterizedTest
	@MethodSource("types")
	void aLimitBelowTheLengthOfSharedStringsHolds(Class<?> type) {
		JsonMapper mapper = JsonMapper
			.builder(JsonFactory.builder()
				.streamReadConstraints(StreamReadConstraints.builder().maxStringLength(10).build())
				.build())
			.build();
		Bound<?> bound = bound(mapper, type);
		ObjectReader jackson = jackson(mapper, type);
		for (String text : List.of("{\"plain\":\"1234567890\"}", "{\"plain\":\"12345678901\"}",
				"{\"texts\":[\"12345678901\"]}", "{\"more\":{\"a\":\"12345678901\"}}",
				"{\"parts\":[{\"name\":\"12345678901\"}]}", "{\"other\":\"12345678901\"}",
				"{\"more\":{\"12345678901\":\"a\"}}")) {
			assertThat(bound.read(text)).as(text).isEqualTo(outcome(() -> jackson.readValue(bytes(text))));
		}
	}

	@ParameterizedTest
	@MethodSource("types")
	void nullsInContainersFollowTheMapper(Class<?> type) {
		for (Nulls nulls : Nulls.values()) {
			for (JsonSetter.Value handling : List.of(JsonSetter.Value.forContentNulls(nulls),
					JsonSetter.Value.forValueNulls(nulls, nulls))) {
				JsonMapper mapper = JsonMapper.builder().changeDefaultNullHandling((none) -> handling).build();
				Bound<?> bound = bound(mapper, type);
				ObjectReader jackson = jackson(mapper, type);
				for (String text : List.of("{\"texts\":[null,\"a\"]}", "{\"more\":{\"a\":null,\"b\":\"c\"}}",
						"{\"parts\":[null,{}]}", "{\"byName\":{\"a\":null}}", "{\"texts\":[[null]]}",
						"{\"more\":{\"a\":[null]}}", "{\"metadata\":{\"labels\":{\"a\":null},\"finalizers\":[null]}}",
						"{\"count\":null,\"plain\":null,\"texts\":null}", "{}")) {
					assertThat(bound.read(text)).as("%s %s", handling, text)
						.isEqualTo(outcome(() -> jackson.readValue(bytes(text))));
				}
			}
		}
	}

	@Test
	void limitsOnDepthHoldForContainersWithinContainers() {
		JsonMapper mapper = JsonMapper
			.builder(JsonFactory.builder()
				.streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(2).build())
				.build())
			.build();
		Bound<Nested> bound = bound(mapper, Nested.class);
		for (String text : List.of("{\"texts\":[]}", "{\"texts\":[[]]}", "{\"more\":{}}", "{\"more\":{\"a\":[]}}",
				"{\"parts\":[]}", "{\"parts\":[{}]}")) {
			assertThat(bound.read(text)).as(text)
				.isEqualTo(outcome(() -> jackson(mapper, Nested.class).readValue(bytes(text))));
		}
	}

	@Test
	void veryDeepObjectsAreLeftToTheParser() {
		Bound<Part> bound = bound(plain(), Part.class);
		for (int depth : new int[] { 60, 64, 65, 400, 600 }) {
			String text = "{\"part\":".repeat(depth) + "{}" + "}".repeat(depth);
			assertThat(bound.read(text)).isEqualTo(outcome(() -> jackson(plain(), Part.class).readValue(text)));
		}
	}

	@Test
	void exceptionsOfAConstructorAreReportedByJackson() {
		Bound<Checked> bound = bound(plain(), Checked.class);
		assertThatExceptionOfType(ValueInstantiationException.class).isThrownBy(() -> bound.make("{}"))
			.withCauseInstanceOf(IllegalArgumentException.class);
		assertThat(bound.make("{\"plain\":\"a\"}")).isEqualTo(new Checked("a"));
	}

	@Test
	void missingRequiredComponentsAreReportedByJackson() {
		Bound<Demanding> bound = bound(plain(), Demanding.class);
		assertThat(bound.read("{\"count\":1}")).isEqualTo(MismatchedInputException.class);
		assertThat(bound.read("{\"plain\":null}")).isEqualTo("Demanding[plain=null, count=0]");
	}

	@Test
	void constructorsAreCalledOnceForValidObjects() {
		Bound<Counted> bound = bound(plain(), Counted.class);
		assertThat(bound.binding()).isNotNull();
		int before = Counted.CREATED.get();
		bound.make("{\"plain\":\"a\",\"other\":[1]}");
		assertThat(Counted.CREATED.get() - before).isEqualTo(1);
	}

	@Test
	void framesEndBehindTheObject() {
		byte[] bytes = bytes(" {\"plain\":\"a\"} ,{\"plain\":\"b\"}");
		Frame frame = assumed(bytes);
		ObjectBinder<Checked> binder = new ObjectBinder<>(ServerObjectModule.mapper(plain()).readerFor(Checked.class),
				Checked.class);
		assertThat(binder.bind(frame, 0, bytes.length)).isEqualTo(new Checked("a"));
		assertThat(frame.end()).isEqualTo(" {\"plain\":\"a\"}".length());
		byte[] unusual = bytes("{\"plain\":1}{");
		Frame other = assumed(unusual);
		assertThat(binder.bind(other, 0, unusual.length)).isEqualTo(new Checked("1"));
		assertThat(other.end()).isEqualTo(unusual.length - 1);
		byte[] broken = bytes("{\"plain\":\"a");
		assertThat(binder.bind(assumed(broken), 0, broken.length)).isNull();
	}

	@Test
	void manyUnusualObjectsAreReadCorrectly() {
		Bound<Thing> bound = bound(plain(), Thing.class);
		ObjectReader jackson = jackson(plain(), Thing.class);
		for (int i = 0; i < 3000; i++) {
			String text = "{\"plain\":" + i + ",\"more\":{\"a\":null},\"other\":" + i + "}";
			assertThat(bound.read(text)).isEqualTo(outcome(() -> jackson.readValue(text)));
		}
		assertThat(bound.read(TEXT)).isEqualTo(outcome(() -> jackson.readValue(TEXT)));
	}

	@Test
	void equalStringsAreOneInstanceInEveryNotation() {
		Bound<Thing> bound = bound(plain(), Thing.class);
		Thing first = bound.make("{\"plain\":\"zé\",\"more\":{\"app\":\"web\"},\"texts\":[\"a\",\"a\"]}");
		Thing second = bound.make("{\"plain\":\"\\u007aé\",\"more\":{\"app\":\"web\"}}");
		assertThat(first.plain()).isEqualTo("zé").isSameAs(second.plain());
		assertThat(first.texts().get(0)).isSameAs(first.texts().get(1));
		assertThat(first.more().get("app")).isSameAs(second.more().get("app"));
		assertThat(first.more().keySet().iterator().next()).isSameAs(second.more().keySet().iterator().next());
	}

	@Test
	void containersOfAnObjectCanBeChanged() {
		Thing thing = bound(plain(), Thing.class).make("{\"more\":{\"a\":\"b\"},\"texts\":[\"a\"],\"parts\":[]}");
		thing.more().put("c", "d");
		thing.texts().add("b");
		thing.parts().clear();
		assertThat(thing.more()).hasSize(2);
		assertThat(thing.texts()).containsExactly("a", "b").isInstanceOf(ArrayList.class);
	}

	@Test
	void unusualObjectsShareStringsWithAllOthers() {
		Bound<Thing> bound = bound(plain(), Thing.class);
		Thing usual = bound.make("{\"plain\":\"same\"}");
		Thing unusual = bound.make("{\"plain\":\"same\",\"more\":{\"a\":null}}");
		assertThat(unusual.plain()).isEqualTo("same").isSameAs(usual.plain());
	}

	@Test
	void oneUnusualObjectInTwoIsNoReasonToParseTheOther() {
		Bound<Counted> bound = bound(plain(), Counted.class);
		for (int i = 0; i < 5000; i++) {
			bound.make((i % 2 == 0) ? "{\"plain\":" + i + "}" : "{\"plain\":\"a\"}");
		}
		assertThat(bound.binder().isBound()).isTrue();
		for (int i = 0; i < 5000; i++) {
			bound.make((i % 3 != 0) ? "{\"plain\":" + i + "}" : "{\"plain\":\"a\"}");
		}
		assertThat(bound.binder().isBound()).isFalse();
	}

	@Test
	void errorsOfAConstructorAreThrownUnchanged() {
		Bound<Erring> bound = bound(plain(), Erring.class);
		assertThat(bound.binding()).isNotNull();
		assertThatExceptionOfType(ExceptionInInitializerError.class).isThrownBy(() -> bound.make("{\"plain\":\"a\"}"));
	}

	@Test
	void aTypeThatIsNotBoundHasItsShapeAllTheSame() {
		TypeReading reading = TypeReading.of(ServerObjectModule.mapper(plain()).readerFor(Refusing.class),
				Refusing.class);
		assertThat(reading.binding()).isNull();
		assertThat(reading.shape()).isInstanceOf(Shape.Properties.class);
	}

	@Test
	void thereMayBeAsManyComponentsAsBits() {
		StringBuilder text = new StringBuilder("{");
		for (int i = 0; i < 64; i++) {
			text.append((i > 0) ? "," : "").append("\"c").append(i).append("\":\"").append(i).append('"');
		}
		Bound<Wide> bound = bound(plain(), Wide.class);
		ObjectReader jackson = jackson(plain(), Wide.class);
		assertThat(bound.binding()).isNotNull();
		for (String tail : List.of("}", ",\"c63\":\"again\"}", ",\"c0\":\"again\"}", ",\"c64\":\"other\"}")) {
			assertThat(bound.read(text + tail)).isEqualTo(outcome(() -> jackson.readValue(text + tail)));
		}
		assertThat(bound.read("{}")).isEqualTo(outcome(() -> jackson.readValue("{}")));
	}

	@Test
	void readersWithOtherSettingsAreLeftToJackson() {
		ObjectReader reader = ServerObjectModule.mapper(plain()).readerFor(Thing.class);
		assertThat(Stream
			.of(reader.withView(Thing.class), reader.with(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES),
					reader.with(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES),
					reader.with(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES))
			.filter((other) -> TypeReading.of(other, Thing.class).binding() != null)).isEmpty();
	}

	@Test
	void smallMapsAreArraysAndLargeOnesAreNot() {
		Bound<Thing> bound = bound(plain(), Thing.class);
		assertThat(bound.make("{\"more\":" + labels(16) + "}").more()).isInstanceOf(ArrayMap.class).hasSize(16);
		assertThat(bound.make("{\"more\":" + labels(17) + "}").more()).isInstanceOf(LinkedHashMap.class).hasSize(17);
	}

	@Test
	void typesOfWhichSubclassesAreNamedAreJacksons() {
		JsonMapper typing = JsonMapper.builder()
			.activateDefaultTyping(BasicPolymorphicTypeValidator.builder().allowIfBaseType(Object.class).build(),
					DefaultTyping.NON_FINAL)
			.build();
		assertThat(binds(typing, Nested.class)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"plain\":\"a\"}", "{\"metadata\":{\"name\":\"a\"},\"count\":5}" })
	void objectsAreMadeByManyThreadsAtOnce(String text) {
		Bound<Thing> bound = bound(plain(), Thing.class);
		Object expected = outcome(() -> jackson(plain(), Thing.class).readValue(text));
		assertThat(IntStream.range(0, 3000)
			.parallel()
			.mapToObj((i) -> bound.read(text.replace("\"a\"", "\"a" + i + "\""))
				.toString()
				.replace("=a" + i + ",", "=a,")
				.replace("=a" + i + "]", "=a]"))
			.collect(Collectors.toSet())).isEqualTo(Set.of(expected));
	}

	private interface Read {

		@Nullable Object read();

	}

	/** A type with its reader. */
	private record Bound<T>(ObjectReader reader, Class<T> type, ObjectBinder<T> binder) {

		Bound(ObjectReader reader, Class<T> type) {
			this(reader, type, new ObjectBinder<>(reader, type));
		}

		@Nullable Binding binding() {
			return TypeReading.of(this.reader, this.type).binding();
		}

		T make(String text) {
			byte[] bytes = bytes(text);
			return Objects.requireNonNull(
					this.binder.bind(new Frame(bytes, 0, bytes.length, bytes.length, false), 0, bytes.length));
		}

		Object read(String text) {
			return read(bytes(text));
		}

		Object read(byte[] bytes) {
			return outcome(
					() -> this.binder.bind(new Frame(bytes, 0, bytes.length, bytes.length, false), 0, bytes.length));
		}

	}

	record Thing(@Nullable ObjectMeta metadata, int count, long total, boolean open, @Nullable Instant at,
			List<Part> parts, Map<String, Part> byName, List<String> texts, Map<String, String> more,
			@Nullable Part part, @Nullable String plain) {

	}

	record Part(@Nullable String name, @Nullable Integer number, @Nullable Long total, @Nullable Boolean open,
			@Nullable Part part) {

	}

	record WithMeta(@Nullable ObjectMeta metadata) {

	}

	record Aliased(@JsonAlias( {
			"old", "older" }) @Nullable String plain, @Nullable String kind){

	}

	record Demanding(@JsonProperty(required = true) @Nullable String plain, int count) {

	}

	record Renamed(@JsonProperty("plain") @Nullable String about, @JsonProperty("kind") @Nullable String sort) {

	}

	record Nothing() {

	}

	record Checked(@Nullable String plain) {

		Checked {
			if (plain == null) {
				throw new IllegalArgumentException("plain is missing");
			}
		}

	}

	record Counted(@Nullable String plain) {

		static final AtomicInteger CREATED = new AtomicInteger();

		Counted {
			CREATED.incrementAndGet();
		}

	}

	record Wrapped(@Nullable Integer count, @Nullable Long total, @Nullable Boolean open,
			@Nullable Collection<String> texts) {

	}

	record Constant(@Nullable String plain, @Nullable Object count) {

	}

	record Sets(@Nullable Set<String> texts) {

	}

	/** A class that also has a setter. */
	static final class Legacy {

		private final @Nullable String plain;

		private @Nullable String kind;

		@JsonCreator
		Legacy(@JsonProperty("plain") @Nullable String plain) {
			this.plain = plain;
		}

		public void setKind(@Nullable String kind) {
			this.kind = kind;
		}

		@Override
		public String toString() {
			return this.plain + " " + this.kind;
		}

	}

	@JsonIgnoreProperties("plain")
	record Ignoring(@Nullable String plain, @Nullable String kind) {

	}

	@JsonIncludeProperties("kind")
	record Including(@Nullable String plain, @Nullable String kind) {

	}

	record Emptying(@JsonSetter(nulls = Nulls.AS_EMPTY) @Nullable List<String> texts) {

	}

	record Injected(@Nullable String plain, @JacksonInject @Nullable String kind) {

	}

	record ReadOnly(@JsonProperty(access = JsonProperty.Access.READ_ONLY) @Nullable String plain,
			@JsonIgnore @Nullable String kind) {

	}

	record Formatted(@JsonFormat(pattern = "yyyy-MM-dd'T'HH:mm:ssX") @Nullable Instant at) {

	}

	record Doubles(double ratio) {

	}

	enum Kind {

		THING

	}

	record Enumerated(@Nullable Kind kind) {

	}

	record Odd(@JsonFormat(shape = JsonFormat.Shape.ARRAY) @Nullable Part part) {

	}

	@JsonFormat(with = JsonFormat.Feature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
	record Insensitive(@Nullable String naME) {

	}

	record AnyCase(
			@JsonFormat(without = JsonFormat.Feature.ACCEPT_CASE_INSENSITIVE_PROPERTIES) @Nullable Insensitive part) {

	}

	record Nested(@Nullable Map<String, List<String>> more, @Nullable List<List<String>> texts,
			@Nullable Map<String, Instant> byName, @Nullable List<Map<String, Integer>> parts) {

	}

	record Generic(@Nullable Box<String> plain, @Nullable Box<Part> part) {

	}

	record Box<T>(@Nullable T name) {

	}

	static final class Created {

		private final @Nullable String text;

		@JsonCreator
		Created(@JsonProperty("plain") @Nullable String text) {
			this.text = text;
		}

		@Override
		public String toString() {
			return "Created " + this.text;
		}

	}

	record Merged(@JsonMerge @Nullable Map<String, String> more, @Nullable String plain) {

	}

	record Linked(@JsonDeserialize(as = LinkedList.class) @Nullable List<String> texts) {

	}

	record Inner(@JsonIgnoreProperties("name") @Nullable Part part,
			@JsonIncludeProperties("number") @Nullable List<Part> parts) {

	}

	record Skipping(@JsonSetter(nulls = Nulls.SKIP) @Nullable String plain, @Nullable String kind) {

	}

	record Failing(@JsonSetter(nulls = Nulls.FAIL) @Nullable String plain,
			@JsonSetter(contentNulls = Nulls.AS_EMPTY) @Nullable Map<String, Object> more) {

	}

	record Converted(@JsonDeserialize(contentConverter = Upper.class) @Nullable List<String> texts) {

	}

	static final class Upper extends StdConverter<String, String> {

		@Override
		public String convert(String value) {
			return value.toUpperCase(Locale.ROOT);
		}

	}

	record Colliding(@JsonAlias("old") @Nullable String plain, @JsonAlias("old") @Nullable String kind) {

	}

	/** The deserializer of the values decides about null in maps. */
	record Kept(@JsonSetter(contentNulls = Nulls.SKIP) @Nullable Map<String, String> more,
			@JsonSetter(contentNulls = Nulls.SKIP) @Nullable List<String> texts) {

	}

	record Erring(@Nullable String plain) {

		Erring {
			Broken.touch();
		}

	}

	static final class Broken {

		private static final int NUMBER = Integer.parseInt("none");

		private Broken() {
		}

		static int touch() {
			return NUMBER;
		}

	}

	record Refusing(@JsonDeserialize(using = NoNulls.class) @Nullable Part part, @Nullable String plain) {

	}

	static final class NoNulls extends StdDeserializer<Part> {

		NoNulls() {
			super(Part.class);
		}

		@Override
		public Part deserialize(JsonParser parser, DeserializationContext context) {
			parser.skipChildren();
			return new Part(null, null, null, null, null);
		}

		@Override
		public AccessPattern getNullAccessPattern() {
			throw new IllegalStateException("there is always a part");
		}

	}

	@JsonIgnoreProperties("old")
	record IgnoredAlias(@JsonAlias("old") @Nullable String plain) {

	}

	record CaseAliased(@JsonAlias("Plain") @Nullable String plain, @JsonAlias("KIND") @Nullable String kind) {

	}

	/** An unpaired surrogate, which would be encoded as a question mark. */
	record Unwritable(@JsonProperty("\ud800") @Nullable String plain, @JsonAlias("\ud801") @Nullable String kind) {

	}

	record Typed(@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind",
			defaultImpl = Part.class) @Nullable List<Part> parts) {

	}

	static final class InjectedField {

		@JacksonInject
		private @Nullable String kind;

		private final @Nullable String plain;

		@JsonCreator
		InjectedField(@JsonProperty("plain") @Nullable String plain) {
			this.plain = plain;
		}

		@Override
		public String toString() {
			return this.plain + " " + this.kind;
		}

	}

	record Wider(@Nullable String c0, @Nullable String c1, @Nullable String c2, @Nullable String c3,
			@Nullable String c4, @Nullable String c5, @Nullable String c6, @Nullable String c7, @Nullable String c8,
			@Nullable String c9, @Nullable String c10, @Nullable String c11, @Nullable String c12, @Nullable String c13,
			@Nullable String c14, @Nullable String c15, @Nullable String c16, @Nullable String c17,
			@Nullable String c18, @Nullable String c19, @Nullable String c20, @Nullable String c21,
			@Nullable String c22, @Nullable String c23, @Nullable String c24, @Nullable String c25,
			@Nullable String c26, @Nullable String c27, @Nullable String c28, @Nullable String c29,
			@Nullable String c30, @Nullable String c31, @Nullable String c32, @Nullable String c33,
			@Nullable String c34, @Nullable String c35, @Nullable String c36, @Nullable String c37,
			@Nullable String c38, @Nullable String c39, @Nullable String c40, @Nullable String c41,
			@Nullable String c42, @Nullable String c43, @Nullable String c44, @Nullable String c45,
			@Nullable String c46, @Nullable String c47, @Nullable String c48, @Nullable String c49,
			@Nullable String c50, @Nullable String c51, @Nullable String c52, @Nullable String c53,
			@Nullable String c54, @Nullable String c55, @Nullable String c56, @Nullable String c57,
			@Nullable String c58, @Nullable String c59, @Nullable String c60, @Nullable String c61,
			@Nullable String c62, @Nullable String c63, @Nullable String c64) {

	}

	record Wide(@Nullable String c0, @Nullable String c1, @Nullable String c2, @Nullable String c3, @Nullable String c4,
			@Nullable String c5, @Nullable String c6, @Nullable String c7, @Nullable String c8, @Nullable String c9,
			@Nullable String c10, @Nullable String c11, @Nullable String c12, @Nullable String c13,
			@Nullable String c14, @Nullable String c15, @Nullable String c16, @Nullable String c17,
			@Nullable String c18, @Nullable String c19, @Nullable String c20, @Nullable String c21,
			@Nullable String c22, @Nullable String c23, @Nullable String c24, @Nullable String c25,
			@Nullable String c26, @Nullable String c27, @Nullable String c28, @Nullable String c29,
			@Nullable String c30, @Nullable String c31, @Nullable String c32, @Nullable String c33,
			@Nullable String c34, @Nullable String c35, @Nullable String c36, @Nullable String c37,
			@Nullable String c38, @Nullable String c39, @Nullable String c40, @Nullable String c41,
			@Nullable String c42, @Nullable String c43, @Nullable String c44, @Nullable String c45,
			@Nullable String c46, @Nullable String c47, @Nullable String c48, @Nullable String c49,
			@Nullable String c50, @Nullable String c51, @Nullable String c52, @Nullable String c53,
			@Nullable String c54, @Nullable String c55, @Nullable String c56, @Nullable String c57,
			@Nullable String c58, @Nullable String c59, @Nullable String c60, @Nullable String c61,
			@Nullable String c62, @Nullable String c63) {

	}

	private static final class Shouting extends StdDeserializer<String> {

		Shouting() {
			super(String.class);
		}

		@Override
		public String deserialize(JsonParser parser, DeserializationContext context) {
			return parser.getString().toUpperCase(Locale.ROOT);
		}

	}

}
