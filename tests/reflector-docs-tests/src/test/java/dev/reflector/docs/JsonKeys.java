package dev.reflector.docs;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.reflector.ReflectorState;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The keys of the JSON that a record becomes, and of the records in it.
 */
final class JsonKeys {

	private static final Map<Class<?>, String> TYPES = Map.of(String.class, "text", boolean.class, "boolean", int.class,
			"number", long.class, "number", Integer.class, "number", Instant.class, "time", Duration.class, "duration",
			ReflectorState.class, "a [state](#states)");

	private final Map<String, String> rows = new LinkedHashMap<>();

	private final Set<String> optional = new HashSet<>();

	static JsonKeys of(Class<?> type) {
		JsonKeys keys = new JsonKeys();
		keys.add("", type);
		return keys;
	}

	/** Returns the keys of an answer that have values. */
	static Set<String> in(JsonNode answer) {
		Set<String> keys = new TreeSet<>();
		collect("", answer, keys);
		return keys;
	}

	private static void collect(String path, JsonNode node, Set<String> keys) {
		if (node.isArray()) {
			node.valueStream().forEach((element) -> collect(path + "[]", element, keys));
		}
		else if (node.isObject()) {
			node.properties().forEach((property) -> {
				String key = path.isEmpty() ? property.getKey() : path + "." + property.getKey();
				keys.add(key);
				collect(key, property.getValue(), keys);
			});
		}
	}

	/** Keys that are left out when there is nothing to say. */
	Set<String> optional() {
		return this.optional;
	}

	Set<String> names() {
		return this.rows.keySet();
	}

	List<String> table() {
		return List.copyOf(this.rows.values());
	}

	private void add(String prefix, Class<?> type) {
		Map<String, String> described = SourceDoc.of(type).components(type);
		for (RecordComponent component : type.getRecordComponents()) {
			String name = component.getName();
			String description = described.get(name);
			if (description == null || description.isEmpty()) {
				throw new AssertionError("no Javadoc of " + name + " in " + type);
			}
			String key = prefix + name;
			String word = word(component.getGenericType());
			if (component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
				boolean always = type.isAnnotationPresent(JsonInclude.class);
				word += always ? " or `null`" : ", or left out";
				if (!always) {
					description = description.replace("`null`", "left out");
					this.optional.add(key);
				}
			}
			this.rows.put(key, "| `" + key + "` | " + word + " | " + description + " |");
			if (component.getType().isRecord()) {
				add(key + ".", component.getType());
			}
			else if (element(component.getGenericType()) instanceof Class<?> element && element.isRecord()) {
				add(key + "[].", element);
			}
		}
	}

	private static String word(Type type) {
		if (type instanceof ParameterizedType parameterized) {
			return (parameterized.getRawType() == List.class) ? "list" : "object with names";
		}
		Class<?> plain = (Class<?>) type;
		if (plain.isRecord()) {
			return "object";
		}
		String word = TYPES.get(plain);
		if (word != null) {
			return word;
		}
		if (!plain.isEnum()) {
			throw new AssertionError("no word for " + plain);
		}
		return Arrays.stream(plain.getEnumConstants())
			.map((constant) -> "`" + constant + "`")
			.collect(Collectors.joining(", "));
	}

	private static Object element(Type type) {
		return (type instanceof ParameterizedType parameterized && parameterized.getRawType() == List.class)
				? parameterized.getActualTypeArguments()[0] : type;
	}

}
