package dev.reflector.test.internal.write;

import java.util.ArrayList;
import java.util.List;

import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Applies a JSON patch (RFC 6902).
 */
final class JsonPatch {

	private JsonPatch() {
	}

	/**
	 * Changes an object.
	 * @param target the object, which is changed
	 * @param patch the operations
	 * @return the changed object
	 * @throws ApiFailure if the operations are malformed or cannot be applied
	 */
	static ObjectNode apply(ObjectNode target, JsonNode patch) {
		if (!(patch instanceof ArrayNode operations)) {
			throw ApiFailure.badRequest("the patch is not an array of operations");
		}
		// the object is put into a new root, so that every value, even the whole object,
		// has a parent
		ObjectNode root = Json.object();
		root.set("", target);
		for (JsonNode operation : operations) {
			apply(root, Json.asObject(operation));
		}
		return Json.asObject(root.path(""));
	}

	private static void apply(ObjectNode root, ObjectNode operation) {
		List<String> path = pointer(operation, "path");
		switch (Json.text(operation, "op")) {
			case "add" -> add(root, path, value(operation));
			case "remove" -> remove(root, path);
			case "replace" -> {
				remove(root, path);
				add(root, path, value(operation));
			}
			case "move" -> add(root, path, remove(root, pointer(operation, "from")));
			case "copy" -> add(root, path, get(root, pointer(operation, "from")).deepCopy());
			case "test" -> {
				if (!get(root, path).equals(value(operation))) {
					throw ApiFailure.unprocessablePatch("testing value " + Json.text(operation, "path") + " failed");
				}
			}
			default -> throw ApiFailure.badRequest("unexpected kind of operation: " + Json.text(operation, "op"));
		}
	}

	private static JsonNode value(ObjectNode operation) {
		JsonNode value = operation.get("value");
		if (value == null) {
			throw ApiFailure.badRequest("the operation has no value");
		}
		return value;
	}

	/**
	 * Returns the names in a JSON pointer. The first name is empty: it leads from the new
	 * root to the object.
	 */
	private static List<String> pointer(ObjectNode operation, String field) {
		JsonNode pointer = operation.path(field);
		String text = pointer.stringValue("");
		if (!pointer.isString() || (!text.isEmpty() && !text.startsWith("/"))) {
			throw ApiFailure.badRequest("the operation has no valid '" + field + "'");
		}
		List<String> names = new ArrayList<>();
		for (String name : text.split("/", -1)) {
			names.add(name.replace("~1", "/").replace("~0", "~"));
		}
		return names;
	}

	private static JsonNode parent(ObjectNode root, List<String> path) {
		JsonNode node = root;
		for (String name : path.subList(0, path.size() - 1)) {
			node = present(child(node, name), path);
		}
		return node;
	}

	private static JsonNode get(ObjectNode root, List<String> path) {
		return present(child(parent(root, path), path.get(path.size() - 1)), path);
	}

	private static @Nullable JsonNode child(JsonNode node, String name) {
		return (node instanceof ArrayNode array) ? array.get(index(name, array.size() - 1)) : node.get(name);
	}

	private static JsonNode present(@Nullable JsonNode node, List<String> path) {
		if (node == null) {
			throw ApiFailure.unprocessablePatch("there is nothing at " + String.join("/", path));
		}
		return node;
	}

	private static void add(ObjectNode root, List<String> path, JsonNode value) {
		JsonNode parent = parent(root, path);
		String name = path.get(path.size() - 1);
		if (parent instanceof ArrayNode array) {
			array.insert(name.equals("-") ? array.size() : index(name, array.size()), value);
		}
		else if (parent instanceof ObjectNode object) {
			object.set(name, value);
		}
		else {
			present(null, path);
		}
	}

	private static JsonNode remove(ObjectNode root, List<String> path) {
		JsonNode removed = get(root, path);
		JsonNode parent = parent(root, path);
		String name = path.get(path.size() - 1);
		if (parent instanceof ArrayNode array) {
			array.remove(index(name, array.size() - 1));
		}
		else {
			((ObjectNode) parent).remove(name);
		}
		return removed;
	}

	private static int index(String name, int most) {
		if (!name.matches("0|[1-9][0-9]{0,8}") || Integer.parseInt(name) > most) {
			throw ApiFailure.unprocessablePatch("there is no index " + name + " in the array");
		}
		return Integer.parseInt(name);
	}

}
