package dev.reflector.console;

import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An object and its last change, as they are sent to the web page.
 *
 * @param object the object, or {@code null} if it was deleted
 * @param previous the state before the last change, or {@code null} if it is not known
 * @param differences the fields that have changed
 * @param changedAt when the object was last changed, in milliseconds, or {@code null} if
 * that is not known
 * @param change type of the last change, or {@code null} if it is not known
 */
record ObjectView(@Nullable JsonNode object, @Nullable JsonNode previous, List<Difference> differences,
		@Nullable Long changedAt, @Nullable String change) {

	/**
	 * A field that differs.
	 *
	 * @param path JSON pointer of the field
	 * @param before the value before the change, or {@code null} if there was none
	 * @param after the value after the change, or {@code null} if there is none
	 */
	record Difference(String path, @Nullable JsonNode before, @Nullable JsonNode after) {

	}

}
