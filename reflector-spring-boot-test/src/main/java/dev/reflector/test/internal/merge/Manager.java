package dev.reflector.test.internal.merge;

import dev.reflector.test.internal.api.Json;
import tools.jackson.databind.node.ObjectNode;

/**
 * An owner of fields. One name may stand for several owners: one for applied fields, one
 * for fields written without apply in each API version, and separate ones for each
 * subresource.
 *
 * @param name the name
 * @param operation {@code Apply} or {@code Update}
 * @param apiVersion the API version in which the manager has written; empty if the
 * operation is {@code Apply}
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

	/** Returns the text by which real servers sort managers. */
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

	/** Returns the manager as text for messages. */
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
