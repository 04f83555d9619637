package dev.reflector.test.internal.api;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and writes the JSON of the server. The digits of numbers are not changed.
 */
public final class Json {

	public static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
		.build();

	private Json() {
	}

	public static ObjectNode object() {
		return MAPPER.createObjectNode();
	}

	public static byte[] bytes(JsonNode node) {
		return MAPPER.writeValueAsBytes(node);
	}

	/**
	 * Reads a JSON object that a client has sent.
	 * @param bytes the bytes from the client
	 * @return the object
	 * @throws ApiFailure if the bytes are not one JSON object
	 */
	public static ObjectNode read(byte[] bytes) {
		return asObject(readAny(bytes));
	}

	/**
	 * Reads a JSON value that a client has sent.
	 * @param bytes the bytes from the client
	 * @return the value
	 * @throws ApiFailure if the bytes are no JSON
	 */
	public static JsonNode readAny(byte[] bytes) {
		try {
			return MAPPER.readTree(bytes);
		}
		catch (JacksonException ex) {
			throw ApiFailure.badRequest("the object provided is unrecognized: " + ex.getOriginalMessage());
		}
	}

	/**
	 * Converts a value of a test to a new JSON object.
	 * @param value JSON text, a tree, a map or a record
	 * @return the object
	 */
	public static ObjectNode of(Object value) {
		byte[] json = (value instanceof CharSequence text) ? text.toString().getBytes(StandardCharsets.UTF_8)
				: MAPPER.writeValueAsBytes(value);
		// every value is written as text and parsed, so that equal numbers become equal
		// nodes
		return read(json);
	}

	/**
	 * Returns the object that a field of another object contains. Creates an empty object
	 * if there is none.
	 * @param parent the object with the field
	 * @param name the name of the field
	 * @return the object
	 */
	public static ObjectNode child(ObjectNode parent, String name) {
		return (parent.get(name) instanceof ObjectNode child) ? child : parent.putObject(name);
	}

	public static String text(JsonNode node, String name) {
		return node.path(name).stringValue("");
	}

	/**
	 * Returns a value that must be an object.
	 * @param node the value
	 * @return the object
	 * @throws ApiFailure if the value is not an object
	 */
	public static ObjectNode asObject(JsonNode node) {
		if (node instanceof ObjectNode object) {
			return object;
		}
		throw ApiFailure.badRequest(
				"the object provided is unrecognized: it is not a JSON object but " + nameOf(node.getNodeType()));
	}

	private static String nameOf(Enum<?> type) {
		return type.name().toLowerCase(Locale.ROOT);
	}

}
