package dev.reflector.write.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.reflector.test.ManagedFields;
import tools.jackson.databind.JsonNode;

/**
 * An object as the server keeps it.
 *
 * @param json the object
 */
record Stored(JsonNode json) {

	String uid() {
		return this.json.at("/metadata/uid").asString("");
	}

	long version() {
		return this.json.at("/metadata/resourceVersion").asLong(0);
	}

	boolean isBeingDeleted() {
		return this.json.path("metadata").has("deletionTimestamp");
	}

	/** Whether a manager owns these fields, no others, and they have these values. */
	Optional<String> differsFrom(String manager, Map<String, JsonNode> fields) {
		Set<String> owned = new TreeSet<>(ManagedFields.of(this.json).ownedBy(manager));
		if (!owned.equals(fields.keySet())) {
			return Optional.of(manager + " owns " + owned + " and not " + fields.keySet());
		}
		return fields.entrySet()
			.stream()
			// an empty map may have entries of others
			.filter((field) -> !field.getValue().isObject() && !field.getValue().equals(value(field.getKey())))
			.map((field) -> field.getKey() + " is " + value(field.getKey()) + " and not " + field.getValue())
			.findFirst();
	}

	/**
	 * A field of another manager that is lost or changed.
	 * @param after the object later
	 * @param manager the manager that wrote
	 * @param taken fields that it may take
	 */
	Optional<String> lostFields(Stored after, String manager, Set<String> taken) {
		ManagedFields owners = ManagedFields.of(this.json);
		ManagedFields left = ManagedFields.of(after.json);
		return owners.managers()
			.stream()
			.filter((other) -> !other.equals(manager))
			.flatMap((other) -> owners.ownedBy(other)
				.stream()
				.filter((field) -> !taken.contains(field))
				.filter((field) -> !left.managersOf(field).contains(other)
						|| (!value(field).isObject() && !value(field).equals(after.value(field))))
				.map((field) -> field + " of " + other))
			.findFirst();
	}

	List<String> managersOf(String field) {
		return ManagedFields.of(this.json).managersOf(field);
	}

	JsonNode value(String field) {
		// an element of a list is there as long as it is owned
		return field.contains("[") ? this.json.path("metadata").path("none")
				: this.json.at("/" + field.replace('.', '/'));
	}

}
