package dev.reflector.test.internal.merge;

import dev.reflector.test.internal.api.Json;
import tools.jackson.databind.node.ObjectNode;

/**
 * An owner of fields. The same name owns apart what it applied and what it wrote
 * otherwise, and what it wrote through a subresource.
 *
 * @param name the name
 * @param operation {@code Apply} or {@code Update}
 * @param apiVersion the version in which it wrote; empty for those who apply
 * @param subresource the subresource, empty for none
 */
record Manager(String name, String operation, String apiVersion, String subresource) implements Comparable<Manager> {

	static final String APPLY = "Apply";

	static final String UPDATE = "Update";

	static Manager applying(String name, String subresource) {
		return new Manager(name, APPLY, "", subresource);
	}

	static Manager updating(String name, String apiVersion, String subresource) {
		return new Manager(name, UPDATE, apiVersion, subresource);
	}

	boolean applies() {
		return APPLY.equals(this.operation);
	}

	/** What real servers sort by. */
	private String identifier() {
		ObjectNode json = Json.object().put("manager", this.name).put("operation", this.operation);
		if (!this.apiVersion.isEmpty()) {
			json.put("apiVersion", this.apiVersion);
		}
		if (!this.subresource.isEmpty()) {
			json.put("subresource", this.subresource);
		}
		return json.toString();
	}

	@Override
	public int compareTo(Manager other) {
		return identifier().compareTo(other.identifier());
	}

	/** As it stands in messages. */
	@Override
	public String toString() {
		StringBuilder text = new StringBuilder(quoted(this.name));
		if (!this.subresource.isEmpty()) {
			text.append(" with subresource ").append(quoted(this.subresource));
		}
		if (!applies()) {
			text.append(" using ").append(this.apiVersion);
		}
		return text.toString();
	}

	private static String quoted(String text) {
		return Json.MAPPER.writeValueAsString(text);
	}

}
