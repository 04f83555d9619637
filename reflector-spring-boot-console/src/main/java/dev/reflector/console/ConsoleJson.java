package dev.reflector.console;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes the JSON of the console, independent of the application's Jackson configuration.
 */
final class ConsoleJson {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private ConsoleJson() {
	}

	static byte[] bytes(Object value) {
		return MAPPER.writeValueAsBytes(value);
	}

	static JsonNode tree(@Nullable Object value) {
		return MAPPER.valueToTree(value);
	}

	static String text(Object value) {
		return MAPPER.writeValueAsString(value);
	}

}
