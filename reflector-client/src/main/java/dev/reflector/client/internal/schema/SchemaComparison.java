package dev.reflector.client.internal.schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.reflector.PrintableText;
import dev.reflector.client.internal.bind.DeclaredValue;
import dev.reflector.client.internal.bind.JsonType;
import org.jspecify.annotations.Nullable;

/**
 * Compares what a Java type reads with the schema of its kind. Reports a property only if
 * it can never be read. If a schema does not restrict a value, every Java type fits.
 */
final class SchemaComparison {

	/**
	 * The properties that the server adds to every object, even if the schema does not
	 * have them.
	 */
	private static final Set<String> COMMON = Set.of("apiVersion", "kind");

	private static final String METADATA = "metadata";

	/**
	 * Sample strings for each format. A Java type fits the format if it can read at least
	 * one of them.
	 */
	private static final Map<String, List<String>> FORMATS = Map.of("date-time",
			List.of("2024-01-31T10:20:30Z", "2024-01-31T10:20:30.123Z", "2024-01-31T10:20:30.123456Z",
					"2024-01-31T10:20:30.123456789Z", "2024-01-31T10:20:30+02:00"),
			"date", List.of("2024-01-31"), "duration", List.of("30s", "1h30m"), "uuid",
			List.of("0b7ee2b3-5d0c-4c0f-9d3a-2f1c0e6a7b58"));

	/** The largest number of an enumeration's values that one message names. */
	private static final int MAX_VALUES = 5;

	private static final int MAX_FOUND = 20;

	private final ServerSchemas schemas;

	private final List<String> found = new ArrayList<>();

	private final Set<Visit> seen = new HashSet<>();

	private SchemaComparison(ServerSchemas schemas) {
		this.schemas = schemas;
	}

	/**
	 * Compares a type with a schema.
	 * @param declared what the type reads
	 * @param schemas the schemas
	 * @param kind the mirrored kind
	 * @return the differences in words; empty if there are none or the server has no
	 * schema of the kind
	 */
	static List<String> compare(DeclaredValue declared, ServerSchemas schemas, String kind) {
		SchemaComparison comparison = new SchemaComparison(schemas);
		Schema root = schemas.of(kind);
		if (root != null && declared instanceof DeclaredValue.Members members) {
			comparison.members("", members, schemas.resolve(root));
		}
		return List.copyOf(comparison.found);
	}

	private void value(String path, DeclaredValue.Member member, Schema raw) {
		value(path, member.type(), member.value(), raw);
	}

	private void value(String path, String type, DeclaredValue declared, Schema raw) {
		if (declared == DeclaredValue.ANYTHING || this.found.size() >= MAX_FOUND
				|| (declared instanceof DeclaredValue.Members && !this.seen.add(new Visit(declared, raw)))) {
			return;
		}
		Schema schema = this.schemas.resolve(raw);
		JsonType json = type(schema);
		if (json == null) {
			return;
		}
		if (declared instanceof DeclaredValue.Scalar scalar && json == JsonType.STRING && schema.texts().restricted()) {
			texts(path, type, scalar, schema.texts());
		}
		else if (declared.refused().contains(json)) {
			this.found.add("'" + path + "' is " + article(json) + " in the schema, which cannot be read into " + type);
		}
		else if (declared instanceof DeclaredValue.Members members && json == JsonType.OBJECT) {
			members(path + ".", members, schema);
		}
		else if (declared instanceof DeclaredValue.Elements elements && json == JsonType.ARRAY
				&& schema.items() != null) {
			value(path + "[]", "an element of " + type, elements.each(), schema.items());
		}
		else if (declared instanceof DeclaredValue.Entries entries && json == JsonType.OBJECT
				&& schema.each() != null) {
			value(path + ".*", "a value of " + type, entries.each(), schema.each());
		}
	}

	private void texts(String path, String type, DeclaredValue.Scalar declared, Schema.Texts texts) {
		List<String> refused = texts.values().stream().filter(declared.refusedText()).toList();
		List<String> samples = FORMATS.getOrDefault(texts.format(), List.of());
		if (!refused.isEmpty()) {
			String values = refused.stream()
				.limit(MAX_VALUES)
				.map((value) -> "'" + PrintableText.of(value) + "'")
				.collect(Collectors.joining(", "));
			int more = refused.size() - MAX_VALUES;
			this.found.add("'" + path + "' may be " + values + ((more > 0) ? " and " + more + " more" : "")
					+ " in the schema, which cannot be read into " + type);
		}
		else if (!samples.isEmpty() && samples.stream().allMatch(declared.refusedText())) {
			this.found.add("'" + path + "' is a string with the format '" + texts.format()
					+ "' in the schema, which cannot be read into " + type);
		}
	}

	private void members(String path, DeclaredValue.Members members, Schema schema) {
		boolean closed = !schema.properties().isEmpty() && schema.each() == null && !schema.open() && !schema.unknown();
		for (DeclaredValue.Member member : members.list()) {
			String name = member.names().get(0);
			if (path.isEmpty() && COMMON.contains(name)) {
				continue;
			}
			Schema property = member.names()
				.stream()
				.filter(schema.properties()::containsKey)
				.findFirst()
				.map(schema.properties()::get)
				.orElse(null);
			if (property != null) {
				value(path + name, member, property);
			}
			else if (closed && !(path.isEmpty() && name.equals(METADATA)) && this.found.size() < MAX_FOUND) {
				String near = NearestName.of(schema.properties().keySet(), name);
				this.found.add("'" + path + name + "' is not in the schema"
						+ ((near != null) ? " (did you mean '" + PrintableText.of(near) + "'?)" : ""));
			}
		}
	}

	private static @Nullable JsonType type(Schema schema) {
		return switch (schema.type()) {
			case "string" -> JsonType.STRING;
			case "integer" -> JsonType.INTEGER;
			case "number" -> JsonType.NUMBER;
			case "boolean" -> JsonType.BOOLEAN;
			case "array" -> JsonType.ARRAY;
			case "object" -> JsonType.OBJECT;
			default -> schema.properties().isEmpty() ? null : JsonType.OBJECT;
		};
	}

	private static String article(JsonType type) {
		String name = type.name().toLowerCase(Locale.ROOT);
		return ("aio".indexOf(name.charAt(0)) >= 0 ? "an " : "a ") + name;
	}

	/**
	 * A type and a schema that were already compared. They are remembered by identity,
	 * because types and schemas may contain themselves.
	 */
	private record Visit(DeclaredValue declared, Schema schema) {

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Visit visit && visit.declared == this.declared && visit.schema == this.schema;
		}

		@Override
		public int hashCode() {
			return 31 * System.identityHashCode(this.declared) + System.identityHashCode(this.schema);
		}

	}

}
