package dev.reflector.write.model;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import dev.reflector.write.AppliedMeta;
import dev.reflector.write.AppliedResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields that a manager applies to a website.
 */
@AppliedResource(apiVersion = "example.com/v1", kind = "Website")
record Plan(AppliedMeta metadata, Spec spec) {

	private static final JsonMapper MAPPER = new JsonMapper();

	/** Few values, so that managers often want the same, and often not. */
	static Plan random(AppliedMeta metadata, Random random) {
		AppliedMeta labelled = (random.nextInt(3) == 0) ? metadata.withLabels(Map.of("tier", one(random, "web", "api")))
				: metadata;
		return new Plan(labelled,
				new Spec(maybe(random, one(random, "a.example.com", "b.example.com")), maybe(random, random.nextInt(3)),
						maybe(random, List.of(one(random, "x", "y"))),
						maybe(random, Map.of(one(random, "cache", "trace"), one(random, "on", "off")))));
	}

	private static <T> T maybe(Random random, T value) {
		return random.nextBoolean() ? value : null;
	}

	private static String one(Random random, String first, String second) {
		return random.nextBoolean() ? first : second;
	}

	/** Returns the same fields for another object. */
	Plan of(AppliedMeta other) {
		return new Plan((this.metadata.labels() != null) ? other.withLabels(this.metadata.labels()) : other, this.spec);
	}

	/** Each field that is applied, by its path, and its value. */
	Map<String, JsonNode> fields() {
		Map<String, JsonNode> fields = new TreeMap<>();
		if (this.metadata.labels() != null) {
			collect("metadata.labels", tree(this.metadata.labels()), fields);
		}
		collect("spec", tree(this.spec), fields);
		return fields;
	}

	/** Returns a value as it is read from an answer. */
	static JsonNode tree(Object value) {
		return MAPPER.readTree(MAPPER.writeValueAsBytes(value));
	}

	static void collect(String path, JsonNode node, Map<String, JsonNode> fields) {
		if (node instanceof ObjectNode object) {
			int before = fields.size();
			object.properties()
				.stream()
				.filter((property) -> !property.getValue().isNull())
				.forEach((property) -> collect(path + "." + property.getKey(), property.getValue(), fields));
			if (fields.size() == before) {
				fields.put(path, object.objectNode());
			}
		}
		else {
			fields.put(path, node);
		}
	}

	record Spec(String host, Integer replicas, List<String> aliases, Map<String, String> options) {

	}

}
