package dev.reflector.console;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.reflector.console.ObjectView.Difference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Compares two states of an object, field by field.
 */
final class Differences {

	/** Largest number of differences that are found. Users would not read more. */
	static final int CAPACITY = 500;

	private final List<Difference> found = new ArrayList<>();

	private Differences() {
	}

	static List<Difference> between(JsonNode before, JsonNode after) {
		Differences differences = new Differences();
		differences.compare("", before, after);
		return differences.found;
	}

	private void compare(String path, @Nullable JsonNode before, @Nullable JsonNode after) {
		if (this.found.size() >= CAPACITY) {
			return;
		}
		if (before != null && after != null && before.isObject() && after.isObject()) {
			Set<String> names = new LinkedHashSet<>(before.propertyNames());
			names.addAll(after.propertyNames());
			names.forEach((name) -> compare(path + "/" + escape(name), before.get(name), after.get(name)));
		}
		else if (before != null && after != null && before.isArray() && after.isArray()) {
			for (int i = 0; i < Math.max(before.size(), after.size()); i++) {
				compare(path + "/" + i, before.get(i), after.get(i));
			}
		}
		else if (before == null || !before.equals(after)) {
			if (before != null || after != null) {
				this.found.add(new Difference(path, before, after));
			}
		}
	}

	/** Escapes a name for a JSON pointer. */
	private static String escape(String name) {
		return name.replace("~", "~0").replace("/", "~1");
	}

}
