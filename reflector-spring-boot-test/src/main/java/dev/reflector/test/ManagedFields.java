package dev.reflector.test;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.reflector.test.internal.fields.FieldSet;
import tools.jackson.databind.JsonNode;

/**
 * The managers of an object and the fields that they own
 * ({@code metadata.managedFields}). A field is written as in the conflict message of a
 * server, without the first dot: {@code spec.replicas}, {@code metadata.labels.app},
 * {@code spec.tags[="a"]} for an element of a set,
 * {@code spec.ports[port=80,protocol="TCP"]} for an element of a list with keys. A name
 * that contains dots is written as it is. The fields of a manager also include fields
 * that it has written without apply or through a subresource.
 *
 * @since 0.1.0
 */
public final class ManagedFields {

	private final Map<String, FieldSet> fields = new TreeMap<>();

	private ManagedFields(JsonNode object) {
		for (JsonNode entry : object.path("metadata").path("managedFields")) {
			this.fields.merge(entry.path("manager").asString(""), FieldSet.parse(entry.path("fieldsV1")),
					FieldSet::union);
		}
	}

	private static List<String> texts(FieldSet set) {
		return set.paths().stream().map((path) -> path.toString().substring(1)).sorted().toList();
	}

	/**
	 * Reads the managers of an object.
	 * @param object the object
	 * @return the managers of the object and their fields
	 */
	public static ManagedFields of(JsonNode object) {
		return new ManagedFields(object);
	}

	/**
	 * Returns all managers.
	 * @return the names of the managers, sorted
	 */
	public List<String> managers() {
		return List.copyOf(this.fields.keySet());
	}

	/**
	 * Returns the fields that a manager owns. If the manager owns a map or a list
	 * element, and also fields inside it, only the fields inside it are returned.
	 * @param manager name of the manager
	 * @return the fields, sorted; empty if there is no such manager
	 */
	public List<String> ownedBy(String manager) {
		return texts(this.fields.getOrDefault(manager, new FieldSet()).leaves());
	}

	/**
	 * Returns the managers that own a field.
	 * @param field the field
	 * @return the names of the managers, sorted; empty if the field has no owner
	 */
	public List<String> managersOf(String field) {
		return this.fields.entrySet()
			.stream()
			.filter((entry) -> texts(entry.getValue()).contains(field))
			.map(Map.Entry::getKey)
			.toList();
	}

	@Override
	public String toString() {
		return this.fields.toString();
	}

}
