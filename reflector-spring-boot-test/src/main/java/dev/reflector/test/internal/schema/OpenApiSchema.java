package dev.reflector.test.internal.schema;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.schema.MergeSchema.ListSchema;
import dev.reflector.test.internal.schema.MergeSchema.Lists;
import dev.reflector.test.internal.schema.MergeSchema.MapSchema;
import dev.reflector.test.internal.schema.MergeSchema.Scalar;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Converts the OpenAPI schema of a CRD to a schema for merging.
 */
final class OpenApiSchema {

	private static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";

	private OpenApiSchema() {
	}

	/**
	 * Returns the schema of whole objects: the schema of the CRD, with the schema of
	 * {@code metadata} that all types share.
	 * @param definition the {@code openAPIV3Schema}
	 * @return the schema
	 */
	static MergeSchema ofObject(JsonNode definition) {
		MergeSchema described = read(definition, false);
		MapSchema map = described.map();
		if (map == null) {
			return MergeSchema.DEDUCED;
		}
		Map<String, Supplier<MergeSchema>> fields = new LinkedHashMap<>(map.fields());
		fields.put("apiVersion", () -> MergeSchema.of(Scalar.STRING));
		fields.put("kind", () -> MergeSchema.of(Scalar.STRING));
		fields.put("metadata", () -> MetadataSchema.OBJECT_META);
		return MergeSchema.of(new MapSchema(fields, map.others(), map.atomic(), map.defaults()));
	}

	private static MergeSchema read(JsonNode schema, boolean preserving) {
		boolean preserve = preserving || schema.path(PRESERVE).asBoolean(false);
		if (schema.path("x-kubernetes-int-or-string").asBoolean(false)) {
			return MergeSchema.of(Scalar.ANY);
		}
		return switch (Json.text(schema, "type")) {
			case "" -> new MergeSchema(Scalar.ANY, list(schema, preserve), map(schema, preserve));
			case "object" -> MergeSchema.of(map(schema, preserve));
			case "array" -> MergeSchema.of(list(schema, preserve));
			case "integer", "number" -> MergeSchema.of(Scalar.NUMBER);
			case "boolean" -> MergeSchema.of(Scalar.BOOLEAN);
			case "string" -> MergeSchema.of(plainText(schema) ? Scalar.STRING : Scalar.ANY);
			default -> MergeSchema.of(Scalar.ANY);
		};
	}

	private static boolean plainText(JsonNode schema) {
		String format = Json.text(schema, "format");
		return format.isEmpty() || format.equals("byte");
	}

	private static ListSchema list(JsonNode schema, boolean preserve) {
		JsonNode items = schema.path("items");
		MergeSchema element = items.isObject() ? read(items, preserve) : MergeSchema.ATOMIC;
		return switch (Json.text(schema, "x-kubernetes-list-type")) {
			case "set" -> new ListSchema(() -> element, Lists.SET);
			case "map" -> new ListSchema(() -> element, Lists.MAP, keys(schema));
			default -> new ListSchema(() -> element, Lists.ATOMIC);
		};
	}

	private static List<String> keys(JsonNode schema) {
		return schema.path("x-kubernetes-list-map-keys").valueStream().map((key) -> key.stringValue("")).toList();
	}

	private static MapSchema map(JsonNode schema, boolean preserve) {
		Map<String, Supplier<MergeSchema>> fields = new LinkedHashMap<>();
		Map<String, JsonNode> defaults = new HashMap<>();
		schema.path("properties").forEachEntry((name, property) -> {
			MergeSchema field = embedded(property) ? ofEmbedded(property, preserve) : read(property, preserve);
			fields.put(name, () -> field);
			JsonNode value = property.get("default");
			if (value != null) {
				defaults.put(name, value);
			}
		});
		MergeSchema others = others(schema, preserve);
		return new MapSchema(fields, () -> others, "atomic".equals(Json.text(schema, "x-kubernetes-map-type")),
				defaults);
	}

	private static boolean embedded(JsonNode schema) {
		return schema.path("x-kubernetes-embedded-resource").asBoolean(false);
	}

	private static MergeSchema ofEmbedded(JsonNode schema, boolean preserve) {
		MapSchema map = map(schema, preserve || schema.path(PRESERVE).asBoolean(false));
		Map<String, Supplier<MergeSchema>> fields = new LinkedHashMap<>(map.fields());
		fields.put("apiVersion", () -> MergeSchema.of(Scalar.STRING));
		fields.put("kind", () -> MergeSchema.of(Scalar.STRING));
		fields.put("metadata", () -> MetadataSchema.OBJECT_META);
		return MergeSchema.of(new MapSchema(fields, map.others(), map.atomic(), map.defaults()));
	}

	private static @Nullable MergeSchema others(JsonNode schema, boolean preserve) {
		JsonNode additional = schema.path("additionalProperties");
		if (additional.isObject()) {
			return read(additional, preserve);
		}
		if (additional.isBoolean()) {
			return additional.booleanValue() ? MergeSchema.DEDUCED : null;
		}
		return (preserve || schema.path("properties").isEmpty()) ? MergeSchema.DEDUCED : null;
	}

}
