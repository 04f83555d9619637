package dev.reflector.test.internal.merge;

import java.util.Map;

import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.fields.FieldSet;
import dev.reflector.test.internal.fields.PathElement;
import dev.reflector.test.internal.schema.MergeSchema;
import dev.reflector.test.internal.schema.MergeSchema.ListSchema;
import dev.reflector.test.internal.schema.MergeSchema.MapSchema;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Removes fields from an object. A map or list that becomes empty is replaced by null.
 */
final class Removal {

	private Removal() {
	}

	static JsonNode remove(MergeSchema schema, JsonNode value, FieldSet fields) {
		MergeSchema narrowed = schema.narrowed(value);
		MapSchema map = narrowed.map();
		ListSchema list = narrowed.list();
		if (map != null) {
			return (map.atomic() || !value.isObject()) ? NullNode.instance : ofMap(map, value, fields);
		}
		if (narrowed.scalar() != null || list == null) {
			return value;
		}
		return (list.atomic() || !value.isArray()) ? NullNode.instance : ofList(list, value, fields);
	}

	private static JsonNode ofMap(MapSchema map, JsonNode value, FieldSet fields) {
		ObjectNode left = Json.object();
		for (Map.Entry<String, JsonNode> entry : value.properties()) {
			PathElement step = new PathElement.Field(entry.getKey());
			if (!fields.has(step)) {
				MergeSchema field = map.field(entry.getKey());
				left.set(entry.getKey(),
						below((field != null) ? field : MergeSchema.DEDUCED, entry.getValue(), fields.below(step)));
			}
		}
		return left.isEmpty() ? NullNode.instance : left;
	}

	private static JsonNode ofList(ListSchema list, JsonNode value, FieldSet fields) {
		ArrayNode left = Json.MAPPER.createArrayNode();
		for (JsonNode element : value) {
			PathElement step = Elements.identify(list, element);
			if (!fields.has(step)) {
				left.add(below(list.element(), element, fields.below(step)));
			}
		}
		return left.isEmpty() ? NullNode.instance : left;
	}

	private static JsonNode below(MergeSchema schema, JsonNode value, FieldSet fields) {
		return fields.isEmpty() ? value : remove(schema, value, fields);
	}

}
