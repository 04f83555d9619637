package dev.reflector.console;

import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An object and its last change, as the page gets it.
 *
 * @param object the object, {@code null} when it was deleted
 * @param previous the state before, {@code null} when it is not known
 * @param differences what has changed
 * @param changedAt when, in milliseconds
 * @param change what has happened
 */
record ObjectView(@Nullable JsonNode object, @Nullable JsonNode previous, List<Difference> differences,
		@Nullable Long changedAt, @Nullable String change) {

	/**
	 * A field that differs.
	 *
	 * @param path JSON pointer of the field
	 * @param before the value before, {@code null} when there was none
	 * @param after the value after, {@code null} when there is none
	 */
	record Difference(String path, @Nullable JsonNode before, @Nullable JsonNode after) {

	}

}
