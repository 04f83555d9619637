package dev.reflector.test.comparison;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * An answer to a write: its status, its warnings, and the object or the failure, without
 * what differs from run to run.
 *
 * @param status the HTTP status
 * @param warnings the warnings
 * @param body the body
 */
record WriteAnswer(int status, List<String> warnings, JsonNode body) {

	private static final JsonMapper MAPPER = JsonMapper.shared();

	private static final Pattern UID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

	private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");

	/**
	 * Maps of real servers have no order, and managers of one second have one by name.
	 */
	private static final Comparator<JsonNode> ORDER = Comparator.comparing(JsonNode::toString);

	static WriteAnswer of(int status, List<String> warnings, String body) {
		return new WriteAnswer(status, warnings, normal("", parse(body)));
	}

	static JsonNode parse(String body) {
		try {
			return MAPPER.readTree(body);
		}
		catch (JacksonException ex) {
			return StringNode.valueOf(body);
		}
	}

	private static JsonNode normal(String name, JsonNode node) {
		if (node instanceof ObjectNode object) {
			Map<String, JsonNode> fields = new TreeMap<>();
			object.forEachEntry((field, value) -> fields.put(field, normal(field, value)));
			fields.remove("time");
			if (fields.containsKey("generateName")) {
				fields.put("name", StringNode.valueOf("<name>"));
			}
			ObjectNode sorted = JsonNodeFactory.instance.objectNode();
			fields.forEach(sorted::set);
			return sorted;
		}
		if (node instanceof ArrayNode array) {
			List<JsonNode> elements = new ArrayList<>();
			array.forEach((element) -> elements.add(normal("", element)));
			if (name.equals("managedFields") || name.equals("causes")) {
				elements.sort(ORDER);
			}
			ArrayNode normal = JsonNodeFactory.instance.arrayNode();
			elements.forEach(normal::add);
			return normal;
		}
		return node.isString() ? StringNode.valueOf(normal(name, node.stringValue())) : node;
	}

	private static String normal(String name, String text) {
		return switch (name) {
			case "resourceVersion", "creationTimestamp", "deletionTimestamp" -> "<" + name + ">";
			case "uid" -> UID.matcher(text).matches() ? "<uid>" : text;
			case "message" -> message(text);
			default -> (text.length() > 300) ? "<" + text.length() + " characters>" : text;
		};
	}

	private static String message(String message) {
		String text = TIME.matcher(UID.matcher(message).replaceAll("<uid>")).replaceAll("<time>");
		text = text.replaceAll("in record \\(\\d+\\)", "in record (<version>)")
			.replaceAll("Key: /registry/(apiextensions.kubernetes.io/)?", "Key: /registry/")
			// parsers word their errors differently
			.replaceAll("(converting YAML to JSON: yaml: line \\d+: )did not find.*", "$1<...>")
			.replaceAll("(converting YAML to JSON: yaml: line )\\d+: expected.*", "$12: <...>")
			// the whole object, whose fields have no order
			.replaceAll("(?s)Invalid value: \"\\{.*}\": ", "Invalid value: <object>: ");
		int list = text.indexOf(" is invalid: [");
		if (list > 0 && text.endsWith("]")) {
			String[] problems = text.substring(list + " is invalid: [".length(), text.length() - 1)
				.split(", (?=[a-z])");
			return text.substring(0, list) + " is invalid: " + sorted(problems);
		}
		return text.contains("errors:\n") ? sorted(text.split("\n")) : text;
	}

	private static String sorted(String[] parts) {
		return List.of(parts).stream().sorted().toList().toString();
	}

	@Override
	public String toString() {
		return this.status + " " + (this.warnings.isEmpty() ? "" : this.warnings + " ") + this.body;
	}

}
