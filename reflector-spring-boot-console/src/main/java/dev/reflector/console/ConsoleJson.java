package dev.reflector.console;

import tools.jackson.databind.json.JsonMapper;

/**
 * Writes the JSON of the console, whatever the application has made of its own.
 */
final class ConsoleJson {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private ConsoleJson() {
	}

	static byte[] bytes(Object value) {
		return MAPPER.writeValueAsBytes(value);
	}

	static String text(Object value) {
		return MAPPER.writeValueAsString(value);
	}

}
