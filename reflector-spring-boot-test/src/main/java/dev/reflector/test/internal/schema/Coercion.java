package dev.reflector.test.internal.schema;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.reflector.cache.source.Status;
import dev.reflector.test.internal.api.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Changes objects so that they fit the schema of their CRD. Unknown fields and nulls are
 * dropped, and defaults are filled in. Other values are not checked.
 */
public final class Coercion {

	private static final Set<String> TYPE_AND_METADATA = Set.of("apiVersion", "kind", "metadata");

	private static final Set<String> METADATA = Set.of("name", "generateName", "namespace", "selfLink", "uid",
			"resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
			"labels", "annotations", "ownerReferences", "finalizers", "managedFields");

	private final JsonNode definition;

	Coercion(JsonNode definition) {
		this.definition = definition;
	}

	/**
	 * Drops unknown fields, and nulls that the schema does not allow. Fills in defaults.
	 * @param object the object, which is changed @return the paths of the unknown fields,
	 * in the order of real servers
	 */
	public List<String> coerce(ObjectNode object) {
		List<String> unknown = new ArrayList<>();
		if (object.get("metadata") instanceof ObjectNode metadata) {
			List<String> strange = metadata.propertyNames()
				.stream()
				.filter((name) -> !METADATA.contains(name))
				.toList();
			strange.forEach((name) -> unknown.add("metadata." + name));
			metadata.remove(strange);
		}
		List<String> pruned = new ArrayList<>();
		prune(object, this.definition, true, "", pruned);
		Collections.sort(pruned);
		unknown.addAll(pruned);
		dropNulls(object, this.definition);
		defaults(object);
		return unknown;
	}

	/**
	 * Fills in defaults.
	 * @param object the object, which is changed
	 */
	public void defaults(ObjectNode object) {
		fill(object, this.definition);
	}

	/**
	 * Returns the nulls that the schema does not allow.
	 * @param object the object
	 * @return one cause for each null
	 */
	public List<Status.Cause> nulls(ObjectNode object) {
		List<Status.Cause> causes = new ArrayList<>();
		for (Map.Entry<String, JsonNode> entry : object.properties()) {
			if (!TYPE_AND_METADATA.contains(entry.getKey())) {
				findNulls(entry.getValue(), property(this.definition, entry.getKey()), entry.getKey(), causes);
			}
		}
		return causes;
	}

	private static boolean preserves(JsonNode schema) {
		return schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(false);
	}

	/** Returns the schema of a field, or a missing node if there is none. */
	private static JsonNode property(JsonNode schema, String name) {
		JsonNode property = schema.path("properties").path(name);
		if (!property.isMissingNode()) {
			return property;
		}
		JsonNode additional = schema.path("additionalProperties");
		return additional.isObject() ? additional : MissingNode.getInstance();
	}

	private static void prune(JsonNode value, JsonNode schema, boolean root, String path, List<String> unknown) {
		boolean resource = root || schema.path("x-kubernetes-embedded-resource").asBoolean(false);
		if (value instanceof ObjectNode map) {
			List<String> strange = new ArrayList<>();
			for (Map.Entry<String, JsonNode> entry : map.properties()) {
				String name = entry.getKey();
				if (resource && TYPE_AND_METADATA.contains(name)) {
					continue;
				}
				String below = path.isEmpty() ? name : path + "." + name;
				JsonNode field = property(schema, name);
				if (!field.isMissingNode()) {
					prune(entry.getValue(), field, false, below, unknown);
				}
				else if (!preserves(schema) && !schema.path("additionalProperties").asBoolean(false)) {
					strange.add(name);
					unknown.add(below);
				}
			}
			map.remove(strange);
		}
		else if (value.isArray()) {
			int place = 0;
			for (JsonNode element : value) {
				prune(element, schema.path("items"), false, path + "[" + place++ + "]", unknown);
			}
		}
	}

	private static void dropNulls(JsonNode value, JsonNode schema) {
		if (value instanceof ObjectNode map) {
			List<String> dropped = new ArrayList<>();
			for (Map.Entry<String, JsonNode> entry : map.properties()) {
				JsonNode field = property(schema, entry.getKey());
				if (forbidsNull(field) && entry.getValue().isNull() && !field.has("default")) {
					dropped.add(entry.getKey());
				}
				else {
					dropNulls(entry.getValue(), field);
				}
			}
			map.remove(dropped);
		}
		else if (value.isArray()) {
			value.forEach((element) -> dropNulls(element, schema.path("items")));
		}
	}

	private static boolean forbidsNull(JsonNode schema) {
		return !schema.isMissingNode() && !schema.path("nullable").asBoolean(false);
	}

	private static void fill(JsonNode value, JsonNode schema) {
		if (value instanceof ObjectNode map) {
			schema.path("properties").forEachEntry((name, property) -> {
				JsonNode standard = property.get("default");
				JsonNode current = map.get(name);
				if (standard != null && (current == null || (current.isNull() && forbidsNull(property)))) {
					map.set(name, standard.deepCopy());
				}
			});
			map.forEachEntry((name, field) -> fill(field, property(schema, name)));
		}
		else if (value.isArray()) {
			value.forEach((element) -> fill(element, schema.path("items")));
		}
	}

	private static void findNulls(JsonNode value, JsonNode schema, String path, List<Status.Cause> causes) {
		String type = Json.text(schema, "type");
		if (value.isNull() && forbidsNull(schema) && !type.isEmpty()) {
			causes.add(new Status.Cause("FieldValueTypeInvalid",
					"Invalid value: \"null\": " + path + " in body must be of type " + type + ": \"null\"", path));
		}
		else if (value.isObject()) {
			value.forEachEntry((name, field) -> findNulls(field, property(schema, name), path + "." + name, causes));
		}
		else if (value.isArray()) {
			int place = 0;
			for (JsonNode element : value) {
				findNulls(element, schema.path("items"), path + "[" + place++ + "]", causes);
			}
		}
	}

	static @Nullable Coercion of(@Nullable JsonNode definition) {
		return (definition != null) ? new Coercion(definition) : null;
	}

}
