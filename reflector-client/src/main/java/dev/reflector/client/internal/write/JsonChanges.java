package dev.reflector.client.internal.write;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds the paths at which two states of an object differ. Returns only paths, and never
 * values.
 */
final class JsonChanges {

	private static final int MOST = 100;

	/** The paths that the server itself changes with each write. */
	private static final Set<String> OF_SERVER = Set.of("metadata.managedFields", "metadata.resourceVersion",
			"metadata.generation", "metadata.uid", "metadata.creationTimestamp");

	private final Set<String> paths = new TreeSet<>();

	private JsonChanges() {
	}

	/**
	 * Compares two states.
	 * @param before the first state
	 * @param after the second state
	 * @return paths such as {@code spec.replicas}, at most a hundred; for a changed list,
	 * only the path of the list
	 */
	static List<String> between(JsonNode before, JsonNode after) {
		JsonChanges changes = new JsonChanges();
		changes.compare(before, after, "");
		return changes.paths.stream().limit(MOST).toList();
	}

	private void compare(JsonNode before, JsonNode after, String path) {
		if (OF_SERVER.contains(path) || before.equals(after)) {
			return;
		}
		boolean objects = isObject(before) && isObject(after) && (before.isObject() || after.isObject());
		if (!objects || (before.isEmpty() && after.isEmpty())) {
			this.paths.add(path);
			return;
		}
		Set<String> names = new TreeSet<>();
		before.propertyNames().forEach(names::add);
		after.propertyNames().forEach(names::add);
		names
			.forEach((name) -> compare(before.path(name), after.path(name), path.isEmpty() ? name : path + "." + name));
	}

	private static boolean isObject(JsonNode node) {
		return node instanceof ObjectNode || node.isMissingNode();
	}

}
