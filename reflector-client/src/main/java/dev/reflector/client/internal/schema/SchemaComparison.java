package dev.reflector.client.internal.schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import dev.reflector.PrintableText;
import dev.reflector.client.internal.bind.DeclaredValue;
import dev.reflector.client.internal.bind.JsonType;
import org.jspecify.annotations.Nullable;

/**
 * Compares what a type reads with the schema of its kind. It finds only differences that
 * can never work: if a schema leaves a value open, everything fits.
 */
final class SchemaComparison {

	/** The properties that the server adds to every object, whatever the schema says. */
	private static final Set<String> COMMON = Set.of("metadata", "apiVersion", "kind");

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
	 * @return the differences, human-readable; none when the server has no schema of the
	 * kind
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
		boolean depends = declared instanceof DeclaredValue.Scalar && json == JsonType.STRING && schema.restricted();
		if (declared.refused().contains(json) && !depends) {
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
			else if (closed && this.found.size() < MAX_FOUND) {
				String near = NearestName.of(schema.properties().keySet(), name);
				this.found.add("'" + path + name + "' is not in the schema"
						+ ((near != null) ? ": did you mean '" + PrintableText.of(near) + "'?" : ""));
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
	 * A pair that was compared, because types and schemas may contain themselves. Both
	 * are compared by identity.
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
