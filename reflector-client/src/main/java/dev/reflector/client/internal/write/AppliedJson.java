package dev.reflector.client.internal.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.reflector.write.AppliedMeta;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and writes the JSON of applied records and of responses. Omits components that
 * are {@code null}, and sorts the properties, so that equal records have equal bytes.
 */
final class AppliedJson {

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
		.enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
		.build();

	private AppliedJson() {
	}

	static ObjectNode object() {
		return MAPPER.createObjectNode();
	}

	/** Reads an object. */
	static ObjectNode read(byte[] json) {
		return (ObjectNode) MAPPER.readTree(json);
	}

	static String text(ObjectNode object) {
		return MAPPER.writeValueAsString(object);
	}

	/** Reads the JSON of a record, and removes properties that are null. */
	static ObjectNode tree(byte[] json, Class<?> type) {
		ObjectNode tree = read(json);
		strip(tree, "", type);
		return tree;
	}

	/** Returns the metadata of a status: only the key and the uid. */
	static ObjectNode metadata(AppliedMeta metadata) {
		ObjectNode node = object().put("name", metadata.name());
		if (metadata.namespace() != null) {
			node.put("namespace", metadata.namespace());
		}
		return (metadata.uid() != null) ? node.put("uid", metadata.uid()) : node;
	}

	/**
	 * Adds a version to a body, so that it is applied only if the object has this
	 * version.
	 */
	static String withVersion(String body, String version) {
		ObjectNode object = (ObjectNode) MAPPER.readTree(body);
		object.withObjectProperty("metadata").put("resourceVersion", version);
		return text(object);
	}

	private static void strip(JsonNode node, String path, Class<?> type) {
		if (node instanceof ObjectNode object) {
			List<String> absent = new ArrayList<>();
			for (Map.Entry<String, JsonNode> property : object.properties()) {
				if (property.getValue().isNull()) {
					absent.add(property.getKey());
				}
				strip(property.getValue(), path.isEmpty() ? property.getKey() : path + "." + property.getKey(), type);
			}
			object.remove(absent);
		}
		else if (node instanceof ArrayNode array) {
			for (JsonNode element : array) {
				if (element.isNull()) {
					throw new IllegalArgumentException("the list '" + path + "' of " + type.getSimpleName()
							+ " has an element that is null: leave it out");
				}
				strip(element, path + "[]", type);
			}
		}
	}

}
