package dev.reflector.test.internal.write;

import dev.reflector.test.internal.api.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares objects without the times in their managed fields. A write that would change
 * only these times is not stored.
 */
final class ManagerTimes {

	private ManagerTimes() {
	}

	static boolean onlyTimesDiffer(ObjectNode before, ObjectNode after) {
		JsonNode managers = after.path("metadata").path("managedFields");
		return managers.size() == before.path("metadata").path("managedFields").size() && !managers.isEmpty()
				&& timeless(before).equals(timeless(after));
	}

	private static ObjectNode timeless(ObjectNode object) {
		ObjectNode copy = object.deepCopy();
		Json.child(copy, "metadata").path("managedFields").forEach((entry) -> {
			if (entry instanceof ObjectNode manager) {
				manager.remove("time");
			}
		});
		return copy;
	}

}
