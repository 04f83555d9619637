package dev.reflector.test;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.reflector.test.internal.fields.FieldSet;
import tools.jackson.databind.JsonNode;

/**
 * Who owns which field of an object ({@code metadata.managedFields}). A field is written
 * as in the conflicts of a server, without the first dot: {@code spec.replicas},
 * {@code metadata.labels.app}, {@code spec.tags[="a"]} for an element of a set,
 * {@code spec.ports[port=80,protocol="TCP"]} for one of a list with keys. A name with
 * dots stands as it is. Whatever a manager wrote counts, by apply or otherwise, and by a
 * subresource too.
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
	 * @return its managers and their fields, none when it has none
	 */
	public static ManagedFields of(JsonNode object) {
		return new ManagedFields(object);
	}

	/**
	 * All managers.
	 * @return their names in order
	 */
	public List<String> managers() {
		return List.copyOf(this.fields.keySet());
	}

	/**
	 * What a manager owns. Of a map or an element below which it owns something, only
	 * that is named.
	 * @param manager its name
	 * @return the fields in order, none when there is no such manager
	 */
	public List<String> ownedBy(String manager) {
		return texts(this.fields.getOrDefault(manager, new FieldSet()).leaves());
	}

	/**
	 * Those who own a field.
	 * @param field the field
	 * @return their names in order, none when it has no owner
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
