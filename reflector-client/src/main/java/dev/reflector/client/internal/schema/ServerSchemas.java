package dev.reflector.client.internal.schema;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/** The schemas that are needed to compare types with the kinds of one API version. */
final class ServerSchemas {

	private static final int MAX_REFERENCES = 8;

	/** The schemas that describe their values incompletely. */
	private static final Set<String> VAGUE = Set.of("Quantity", "IntOrString", "RawExtension");

	private final Map<String, Schema> roots;

	private final Map<String, Schema> shared;

	/**
	 * Creates the schemas.
	 * @param roots the schemas of kinds, by kind
	 * @param shared all schemas, by name
	 */
	ServerSchemas(Map<String, Schema> roots, Map<String, Schema> shared) {
		this.roots = roots;
		this.shared = shared;
	}

	/**
	 * Returns the schema of a kind.
	 * @param kind the kind
	 * @return the schema, or {@code null} if the server has none
	 */
	@Nullable Schema of(String kind) {
		return this.roots.get(kind);
	}

	/**
	 * Follows the references of a schema.
	 * @param schema the schema
	 * @return a schema without references
	 */
	Schema resolve(Schema schema) {
		return resolve(schema, 0);
	}

	private Schema resolve(Schema schema, int depth) {
		if (schema.unknown() || depth > MAX_REFERENCES) {
			return Schema.UNKNOWN;
		}
		String reference = schema.reference();
		if (reference != null) {
			Schema target = VAGUE.contains(reference.substring(reference.lastIndexOf('.') + 1)) ? null
					: this.shared.get(reference);
			return (target != null) ? resolve(target, depth + 1) : Schema.UNKNOWN;
		}
		Schema merged = schema;
		for (Schema part : schema.all()) {
			merged = both(merged, resolve(part, depth + 1));
		}
		return merged;
	}

	private static Schema both(Schema one, Schema other) {
		if (one.unknown() || other.unknown()) {
			return Schema.UNKNOWN;
		}
		Map<String, Schema> properties = new LinkedHashMap<>(one.properties());
		other.properties().forEach(properties::putIfAbsent);
		return new Schema(one.type().isEmpty() ? other.type() : one.type(), null, properties,
				first(one.each(), other.each()), first(one.items(), other.items()), List.of(),
				one.texts().and(other.texts()), one.open() || other.open(), false);
	}

	private static @Nullable Schema first(@Nullable Schema one, @Nullable Schema other) {
		return (one != null) ? one : other;
	}

}
