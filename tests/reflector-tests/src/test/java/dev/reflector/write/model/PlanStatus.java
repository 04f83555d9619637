package dev.reflector.write.model;

import java.util.Map;
import java.util.TreeMap;

import dev.reflector.write.AppliedResource;
import tools.jackson.databind.JsonNode;

/**
 * The status of a website.
 */
@AppliedResource(apiVersion = "example.com/v1", kind = "Website", subresource = "status")
record PlanStatus(String phase, Long observedGeneration) {

	/** Each field that is applied, by its path, and its value. */
	Map<String, JsonNode> fields() {
		Map<String, JsonNode> fields = new TreeMap<>();
		Plan.collect("status", Plan.tree(this), fields);
		return fields;
	}

}
