package dev.reflector.test.internal.write;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.reflector.test.internal.api.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Strategic merge without a schema. A list of objects is merged by the first well-known
 * key that all elements have. If there is no such key, the list is replaced. Finalizers
 * and lists of values with a directive for their order are merged as sets. The order
 * itself is ignored.
 */
final class StrategicMerge {

	private static final String DIRECTIVE = "$patch";

	private static final String RETAIN = "$retainKeys";

	private static final String ORDER = "$setElementOrder/";

	private static final String FINALIZERS = "finalizers";

	private static final String DELETE_PRIMITIVES = "$deleteFromPrimitiveList/";

	private static final List<String> KEYS = List.of("name", "containerPort", "port", "type", "mountPath", "devicePath",
			"uid", "ip", "topologyKey");

	private StrategicMerge() {
	}

	static ObjectNode merge(ObjectNode target, ObjectNode patch) {
		ObjectNode result = "replace".equals(directive(patch)) ? Json.object() : target;
		if (patch.get(RETAIN) instanceof ArrayNode retained) {
			Set<String> names = new HashSet<>();
			retained.forEach((name) -> names.add(name.stringValue("")));
			result.retain(names);
		}
		patch.forEachEntry((name, value) -> {
			if (name.startsWith(DELETE_PRIMITIVES)) {
				deletePrimitives(result, name.substring(DELETE_PRIMITIVES.length()), value);
			}
			else if (!DIRECTIVE.equals(name) && !RETAIN.equals(name) && !name.startsWith(ORDER)) {
				mergeField(result, name, value, name.equals(FINALIZERS) || patch.has(ORDER + name));
			}
		});
		return result;
	}

	private static void mergeField(ObjectNode target, String name, JsonNode value, boolean set) {
		JsonNode old = target.get(name);
		if (value.isNull() || "delete".equals(directive(value))) {
			target.remove(name);
		}
		else if (value instanceof ObjectNode change) {
			target.set(name, merge((old instanceof ObjectNode object) ? object : Json.object(), change));
		}
		else if (value instanceof ArrayNode change) {
			ArrayNode before = (old instanceof ArrayNode list) ? list : Json.MAPPER.createArrayNode();
			target.set(name, (set && isOfValues(before) && isOfValues(change)) ? mergeSet(before, change)
					: mergeList(before, change));
		}
		else {
			target.set(name, value);
		}
	}

	private static boolean isOfValues(ArrayNode list) {
		return list.valueStream().allMatch(JsonNode::isValueNode);
	}

	private static ArrayNode mergeSet(ArrayNode target, ArrayNode patch) {
		for (JsonNode value : patch) {
			if (target.valueStream().noneMatch(value::equals)) {
				target.add(value);
			}
		}
		return target;
	}

	private static ArrayNode mergeList(ArrayNode target, ArrayNode patch) {
		boolean replace = patch.valueStream().anyMatch((element) -> "replace".equals(directive(element)));
		String key = replace ? null : mergeKey(target, patch);
		ArrayNode result = (key != null) ? target : Json.MAPPER.createArrayNode();
		for (JsonNode element : patch) {
			if (element instanceof ObjectNode change) {
				if (!"replace".equals(directive(element))) {
					mergeElement(result, key, change);
				}
			}
			else {
				result.add(element);
			}
		}
		return result;
	}

	private static void mergeElement(ArrayNode target, @Nullable String key, ObjectNode change) {
		int position = (key != null) ? position(target, key, change.path(key)) : -1;
		if ("delete".equals(directive(change))) {
			if (position >= 0) {
				target.remove(position);
			}
		}
		else if (position >= 0 && target.get(position) instanceof ObjectNode old) {
			target.set(position, merge(old, change));
		}
		else {
			target.add(merge(Json.object(), change));
		}
	}

	private static int position(ArrayNode list, String key, JsonNode value) {
		for (int i = 0; i < list.size(); i++) {
			if (list.get(i).path(key).equals(value)) {
				return i;
			}
		}
		return -1;
	}

	private static @Nullable String mergeKey(ArrayNode target, ArrayNode patch) {
		Optional<String> key = KEYS.stream()
			.filter((candidate) -> patch.valueStream().allMatch((element) -> element.has(candidate))
					&& target.valueStream().allMatch((element) -> element.has(candidate)))
			.findFirst();
		return key.orElse(null);
	}

	private static void deletePrimitives(ObjectNode target, String name, JsonNode values) {
		if (target.get(name) instanceof ArrayNode list) {
			Set<JsonNode> gone = new HashSet<>();
			values.forEach(gone::add);
			ArrayNode kept = Json.MAPPER.createArrayNode();
			list.forEach((value) -> {
				if (!gone.contains(value)) {
					kept.add(value);
				}
			});
			target.set(name, kept);
		}
	}

	private static String directive(JsonNode node) {
		return Json.text(node, DIRECTIVE);
	}

}
