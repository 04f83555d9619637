package dev.reflector.test.internal.write;

import java.io.StringReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.Json;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the body of an apply, which is YAML or its subset JSON.
 */
final class AppliedBody {

	private static final Set<String> TRUE = Set.of("y", "yes", "true", "on");

	private static final Set<String> FALSE = Set.of("n", "no", "false", "off");

	private static final int DEEPEST = 200;

	private final List<String> repeated = new ArrayList<>();

	private AppliedBody() {
	}

	/**
	 * Reads a body.
	 * @param body the body
	 * @return the object in the body
	 * @throws ApiFailure if the body is no YAML or no map
	 */
	static ObjectNode read(byte[] body) {
		JsonNode read = json(body);
		if (read == null) {
			read = new AppliedBody().parse(body);
		}
		if (read == null || read.isNull()) {
			return Json.object();
		}
		if (!(read instanceof ObjectNode object)) {
			String kind = read.isArray() ? "array" : read.isString() ? "string" : read.isNumber() ? "number" : "bool";
			throw ApiFailure.badRequest("error decoding YAML: error unmarshaling JSON: while decoding JSON: json: "
					+ "cannot unmarshal " + kind + " into Go value of type map[string]interface {}");
		}
		return object;
	}

	/**
	 * Returns the fields that occur twice.
	 * @param body a body that can be read
	 * @return one message for each field
	 */
	static List<String> repeated(byte[] body) {
		if (json(body) != null && StrictDecoding.repeated(body).isEmpty()) {
			return List.of();
		}
		AppliedBody reader = new AppliedBody();
		reader.parse(body);
		return reader.repeated;
	}

	/**
	 * Makes the failure for fields that occur twice.
	 * @param repeated one message for each field
	 * @return the failure
	 */
	static ApiFailure notUnique(List<String> repeated) {
		return ApiFailure.badRequest("error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal "
				+ "errors:\n  " + String.join("\n  ", repeated));
	}

	/**
	 * Reads a body as JSON, or returns {@code null} if the body is no JSON object. This
	 * is tried first, because the YAML parser is slow with long texts.
	 */
	private static @Nullable JsonNode json(byte[] body) {
		try {
			JsonNode read = Json.MAPPER.readTree(body);
			return read.isObject() ? read : null;
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	private @Nullable JsonNode parse(byte[] body) {
		LoaderOptions options = new LoaderOptions();
		options.setCodePointLimit(Integer.MAX_VALUE);
		options.setNestingDepthLimit(DEEPEST);
		try {
			Node root = new Yaml(options).compose(new StringReader(new String(body, StandardCharsets.UTF_8)));
			return (root != null) ? convert(root, 0) : null;
		}
		catch (MarkedYAMLException ex) {
			int line = (ex.getProblemMark() != null) ? ex.getProblemMark().getLine() + 1 : 0;
			throw unreadable("line " + line + ": " + ex.getProblem());
		}
		catch (YAMLException ex) {
			throw unreadable(ex.getMessage());
		}
	}

	private static ApiFailure unreadable(@Nullable String why) {
		return ApiFailure.badRequest("error decoding YAML: error converting YAML to JSON: yaml: " + why);
	}

	private JsonNode convert(Node node, int depth) {
		if (depth > DEEPEST) {
			throw unreadable("exceeded max depth");
		}
		if (node instanceof MappingNode map) {
			return map(map, depth);
		}
		if (node instanceof SequenceNode list) {
			ArrayNode array = Json.MAPPER.createArrayNode();
			list.getValue().forEach((element) -> array.add(convert(element, depth + 1)));
			return array;
		}
		return scalar((ScalarNode) node);
	}

	private ObjectNode map(MappingNode map, int depth) {
		ObjectNode object = Json.object();
		for (NodeTuple entry : map.getValue()) {
			String name = (entry.getKeyNode() instanceof ScalarNode key) ? scalar(key).asString() : "";
			if (object.has(name)) {
				this.repeated.add("line " + (entry.getKeyNode().getStartMark().getLine() + 1) + ": key \"" + name
						+ "\" already set in map");
			}
			object.set(name, convert(entry.getValueNode(), depth + 1));
		}
		return object;
	}

	/**
	 * Converts a YAML scalar as real servers do: for example, a date becomes a text, and
	 * {@code y} becomes {@code true}.
	 */
	private static JsonNode scalar(ScalarNode node) {
		JsonNodeFactory nodes = JsonNodeFactory.instance;
		String text = node.getValue();
		if (!node.isPlain()) {
			return nodes.stringNode(text);
		}
		String lower = text.toLowerCase(Locale.ROOT);
		if (TRUE.contains(lower) || FALSE.contains(lower)) {
			return nodes.booleanNode(TRUE.contains(lower));
		}
		if (Tag.NULL.equals(node.getTag())) {
			return nodes.nullNode();
		}
		if (Tag.INT.equals(node.getTag()) && text.matches("[-+]?[0-9]+")) {
			return Json.MAPPER.readTree(new BigInteger(text).toString());
		}
		if (Tag.FLOAT.equals(node.getTag()) && text.matches("[-+]?[0-9.]+([eE][-+]?[0-9]+)?")) {
			return nodes.numberNode(new BigDecimal(text));
		}
		return nodes.stringNode(text);
	}

}
