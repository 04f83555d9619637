package dev.reflector.client.internal.bind;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import dev.reflector.fixture.LongForm;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.jdk.MapDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.MapType;
import tools.jackson.databind.util.StdConverter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ArrayMap} and {@link ArrayMaps}.
 */
class ArrayMapTests {

	private final JsonMapper ours = ServerObjectModule.mapper(JsonMapper.builder().build());

	private final JsonMapper jackson = JsonMapper.builder()
		.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
		.build();

	private static Map<String, Object> map() {
		return new ArrayMap<>();
	}

	@Test
	void behavesLikeAHashMap() {
		Random random = new Random(1);
		for (int round = 0; round < LongForm.times(100, 40); round++) {
			Map<String, Object> map = map();
			Map<String, Object> expected = new LinkedHashMap<>();
			for (int i = 0; i < 100; i++) {
				String key = (random.nextInt(20) > 0) ? "k" + random.nextInt(25) : null;
				Object value = (random.nextInt(10) > 0) ? i : null;
				switch (random.nextInt(12)) {
					case 0, 1 -> assertThat(map.remove(key)).isEqualTo(expected.remove(key));
					case 2 -> assertThat(removeSome(map, i)).isEqualTo(removeSome(expected, i));
					case 3 -> assertThat(map.putIfAbsent(key, value)).isEqualTo(expected.putIfAbsent(key, value));
					case 4 -> assertThat(map.merge("m", 1, (one, other) -> (int) one + (int) other))
						.isEqualTo(expected.merge("m", 1, (one, other) -> (int) one + (int) other));
					case 5 -> {
						map.replaceAll((name, old) -> old + "r");
						expected.replaceAll((name, old) -> old + "r");
						map.remove("m");
						expected.remove("m");
					}
					default -> assertThat(map.put(key, value)).isEqualTo(expected.put(key, value));
				}
				assertSame(map, expected, key);
			}
			map.clear();
			assertThat(map).isEmpty();
			assertThat(map.get("k1")).isNull();
		}
	}

	private static List<Object> removeSome(Map<String, Object> map, int number) {
		List<Object> seen = new ArrayList<>();
		for (Iterator<Map.Entry<String, Object>> entries = map.entrySet().iterator(); entries.hasNext();) {
			Map.Entry<String, Object> entry = entries.next();
			seen.add(entry.getKey());
			if (seen.size() % 5 == number % 5) {
				entries.remove();
			}
			else if (seen.size() % 5 == 0) {
				seen.add(entry.setValue(number));
			}
		}
		return seen;
	}

	private static void assertSame(Map<String, Object> map, Map<String, Object> expected, @Nullable String key) {
		assertThat(map).isEqualTo(expected).hasSameHashCodeAs(expected).hasToString(expected.toString());
		assertThat(expected).isEqualTo(map);
		assertThat(map.containsKey(key)).isEqualTo(expected.containsKey(key));
		assertThat(map.get(key)).isEqualTo(expected.get(key));
		List<Object> each = new ArrayList<>();
		map.forEach((name, value) -> each.add(name + "=" + value));
		assertThat(each).hasToString(expected.toString().replace('{', '[').replace('}', ']'));
		assertThat(map.keySet()).containsExactlyElementsOf(expected.keySet());
		assertThat(map.values()).containsExactlyElementsOf(expected.values());
	}

	@Test
	void anIteratorKnowsItsEnd() {
		Map<String, Object> map = map();
		map.put("a", 1);
		Iterator<String> keys = map.keySet().iterator();
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(keys::remove);
		keys.next();
		keys.remove();
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(keys::remove);
		assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(keys::next);
		assertThat(map).isEmpty();
	}

	@Test
	void anIteratorDetectsConcurrentChanges() {
		Map<String, Object> map = map();
		map.put("a", 1);
		map.put("b", 2);
		Iterator<Map.Entry<String, Object>> entries = map.entrySet().iterator();
		Map.Entry<String, Object> first = entries.next();
		map.remove("a");
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(entries::next);
		first.setValue(3);
		assertThat(map).containsOnly(Map.entry("b", 2));
	}

	@Test
	void jsonThatNamesTheClassCanBeReadBack() {
		Map<String, Object> map = map();
		map.put("a", "1");
		JsonMapper typing = JsonMapper.builder()
			.activateDefaultTyping(BasicPolymorphicTypeValidator.builder().allowIfBaseType(Object.class).build(),
					DefaultTyping.OBJECT_AND_NON_CONCRETE)
			.build();
		String text = typing.writeValueAsString(new Labelled(map));
		assertThat(text).contains("ArrayMap");
		assertThat(typing.readValue(text, Labelled.class)).isEqualTo(new Labelled(map));
	}

	@Test
	void isSerializedAsAMapOfTheJdk() throws Exception {
		Map<String, Object> map = map();
		map.put("a", "1");
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
			output.writeObject(map);
			output.writeObject(map.entrySet().iterator().next());
		}
		try (ObjectInputStream input = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
			assertThat(input.readObject()).isEqualTo(map).isInstanceOf(LinkedHashMap.class);
			assertThat(input.readObject()).isEqualTo(Map.entry("a", "1"));
		}
	}

	@Test
	void mapPropertiesWithFewEntriesAreReadIntoIt() {
		Maps maps = this.ours.readValue("{\"strings\":{\"a\":\"1\",\"b\":\"2\"},\"numbers\":{},\"lists\":{\"a\":[1]}}",
				Maps.class);
		assertThat(maps.strings).isInstanceOf(ArrayMap.class);
		assertThat(maps.numbers).isInstanceOf(ArrayMap.class);
		assertThat(maps.lists).isInstanceOf(ArrayMap.class);
		maps = this.ours.readValue("{\"strings\":" + object(ArrayMap.MOST) + "}", Maps.class);
		assertThat(maps.strings).isInstanceOf(ArrayMap.class);
		maps = this.ours.readValue("{\"strings\":" + object(ArrayMap.MOST + 1) + "}", Maps.class);
		assertThat(maps.strings).isExactlyInstanceOf(LinkedHashMap.class);
	}

	@Test
	void modifiersOfTheApplicationComeFirst() {
		List<String> seen = new ArrayList<>();
		JsonMapper application = JsonMapper.builder()
			.addModule(new SimpleModule().setDeserializerModifier(new ValueDeserializerModifier() {

				private static final long serialVersionUID = 1L;

				@Override
				public ValueDeserializer<?> modifyDeserializer(DeserializationConfig config,
						BeanDescription.Supplier description, ValueDeserializer<?> deserializer) {
					seen.add(deserializer.getClass().getSimpleName());
					return deserializer;
				}

				@Override
				public ValueDeserializer<?> modifyMapDeserializer(DeserializationConfig config, MapType type,
						BeanDescription.Supplier description, ValueDeserializer<?> deserializer) {
					MapDeserializer maps = (MapDeserializer) deserializer;
					return type.getContentType().hasRawClass(Integer.class) ? new MapDeserializer(maps) {
					} : maps;
				}

			}))
			.build();
		Two two = ServerObjectModule.mapper(application)
			.readValue("{\"strings\":{\"a\":\"1\"},\"numbers\":{\"a\":1}}", Two.class);
		assertThat(seen).contains("StringDeserializer").doesNotContain("SharedStrings");
		assertThat(two.strings).isInstanceOf(ArrayMap.class);
		assertThat(two.numbers).isExactlyInstanceOf(LinkedHashMap.class);
	}

	private static String object(int entries) {
		StringBuilder text = new StringBuilder("{");
		for (int i = 0; i < entries; i++) {
			text.append((i > 0) ? "," : "").append("\"k").append(i).append("\":\"").append(i).append('"');
		}
		return text.append('}').toString();
	}

	@Test
	void isReadLikeJacksonsMapsForAllTypesAndTexts() {
		List<String> values = new ArrayList<>(List.of("null", "[]", "\"\"", "7", "{\"a\":\"\",\"b\":\"1\"}",
				"[{\"a\":\"1\"},{}]", "{}", "{\"a\":null}", "{\"a\":{\"b\":{}}}", "{\"a\":{\"b\":\"c\"}}",
				"{\"a\":[1,2],\"b\":[]}", "{\"a\":\"1\",\"a\":\"2\"}", "{\"a\":\"1\",\"b\":null,\"a\":null}",
				"{\"a\":1,\"b\":\"x\"}", "{\"DAYS\":\"1\"}", "{\"1\":\"1\"}", "{\"a\":\"1\"", "{\"a\"", "{\"a\":",
				"{\"secret\":\"1\",\"b\":\"2\"}", "{\"a\":\"1\",}", "{\"@class\":\"java.util.HashMap\",\"a\":\"1\"}"));
		for (int entries : List.of(1, 5, 15, 16, 17, 18, 40)) {
			values.add(object(entries));
			values.add(object(entries).replace("}", ",\"k3\":\"again\",\"k0\":null}"));
		}
		for (RecordComponent component : Maps.class.getRecordComponents()) {
			String name = component.getName();
			for (String value : values) {
				String text = "{\"" + name + "\":" + value + ",\"last\":\"l\"}";
				Object expected = read(this.jackson, text);
				for (int i = 0; i < 2; i++) {
					assertThat(read(this.ours, text)).as(text).isEqualTo(expected).hasToString(expected.toString());
				}
			}
		}
	}

	private static Object read(JsonMapper mapper, String text) {
		try {
			return mapper.readValue(text, Maps.class);
		}
		catch (JacksonException ex) {
			return ex.getClass() + " " + ex.getPath();
		}
	}

	/** Takes a {@code LinkedHashMap}, as declared. */
	static final class Joining extends StdConverter<LinkedHashMap<String, String>, Map<String, String>> {

		@Override
		public Map<String, String> convert(LinkedHashMap<String, String> map) {
			map.replaceAll((key, value) -> key + value);
			return map;
		}

	}

	record Maps(@Nullable Map<String, String> strings, @Nullable Map<String, Integer> numbers,
			@Nullable Map<String, List<Integer>> lists, @Nullable Map<String, Map<String, String>> nested,
			@Nullable List<Map<String, String>> listed, @Nullable Map<String, JsonNode> trees,
			@Nullable LinkedHashMap<String, String> linked, @Nullable HashMap<String, String> hash,
			@Nullable TreeMap<String, String> tree,
			@JsonDeserialize(as = TreeMap.class) @Nullable Map<String, String> as,
			@Nullable EnumMap<TimeUnit, String> enums, @Nullable Map<Integer, String> ints,
			@JsonSetter(contentNulls = Nulls.SKIP) @Nullable Map<String, String> skipping,
			@JsonSetter(contentNulls = Nulls.FAIL) @Nullable Map<String, String> failing,
			@JsonIgnoreProperties("secret") @Nullable Map<String, String> ignoring,
			@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) @Nullable Map<String, String> typed,
			@Nullable Map<String, LinkedHashMap<String, String>> maps, @Nullable Map<String, Object> any,
			@Nullable Map<Object, String> objects,
			@JsonSetter(contentNulls = Nulls.SKIP) @Nullable Map<String, Integer> numbersSkipping,
			@JsonSetter(contentNulls = Nulls.FAIL) @Nullable Map<String, Integer> numbersFailing,
			@JsonSetter(contentNulls = Nulls.AS_EMPTY) @Nullable Map<String, Integer> numbersEmpty,
			@JsonDeserialize(converter = Joining.class) @Nullable Map<String, String> converted,
			@Nullable String last) {

	}

	record Labelled(Map<String, Object> labels) {

	}

	record Two(Map<String, String> strings, Map<String, Integer> numbers) {

	}

}
