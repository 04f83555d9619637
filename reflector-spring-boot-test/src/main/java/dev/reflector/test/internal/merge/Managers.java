package dev.reflector.test.internal.merge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.fields.FieldSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The managers of one object and the fields that they own, from
 * {@code metadata.managedFields}.
 */
final class Managers {

	/**
	 * The largest number of managers that write without apply. If there are more, the
	 * oldest of them are merged into one.
	 */
	private static final int MOST_UPDATERS = 10;

	private static final String ANCIENT = "ancient-changes";

	private static final Comparator<JsonNode> ORDER = Comparator
		.comparing((JsonNode entry) -> Json.text(entry, "operation"))
		.thenComparing((entry) -> Json.text(entry, "time"))
		.thenComparing((entry) -> Json.text(entry, "manager"))
		.thenComparing((entry) -> Json.text(entry, "apiVersion"))
		.thenComparing((entry) -> Json.text(entry, "subresource"));

	private final TreeMap<Manager, FieldSet> fields = new TreeMap<>();

	private final Map<Manager, String> versions = new HashMap<>();

	private final Map<Manager, String> times = new HashMap<>();

	/**
	 * Reads the entries of an object.
	 * @param entries the entries
	 * @return the managers, or {@code null} if the entries are malformed
	 */
	static @Nullable Managers parse(JsonNode entries) {
		Managers managers = new Managers();
		for (JsonNode entry : entries) {
			String operation = Json.text(entry, "operation");
			String apiVersion = Json.text(entry, "apiVersion");
			boolean applies = Manager.APPLY.equals(operation);
			if (!(applies || Manager.UPDATE.equals(operation)) || apiVersion.isEmpty()
					|| !"FieldsV1".equals(Json.text(entry, "fieldsType"))) {
				return null;
			}
			Manager manager = new Manager(Json.text(entry, "manager"), operation, applies ? "" : apiVersion,
					Json.text(entry, "subresource"));
			managers.put(manager, apiVersion, FieldSet.parse(entry.path("fieldsV1")));
			String time = Json.text(entry, "time");
			if (!time.isEmpty()) {
				managers.times.put(manager, time);
			}
		}
		return managers;
	}

	boolean isEmpty() {
		return this.fields.isEmpty();
	}

	List<Manager> all() {
		return List.copyOf(this.fields.keySet());
	}

	@Nullable FieldSet of(Manager manager) {
		return this.fields.get(manager);
	}

	/** Whether the entry of a manager is in the given API version. */
	boolean isOf(Manager manager, String apiVersion) {
		return apiVersion.equals(this.versions.get(manager));
	}

	void put(Manager manager, String apiVersion, FieldSet set) {
		this.fields.put(manager, set);
		this.versions.put(manager, apiVersion);
	}

	/**
	 * Changes the fields that a manager owns. If no field is left, the manager is
	 * removed.
	 * @param manager the manager
	 * @param change makes the new set of fields from the old set
	 */
	void change(Manager manager, UnaryOperator<FieldSet> change) {
		FieldSet before = this.fields.get(manager);
		FieldSet after = (before != null) ? change.apply(before) : null;
		if (after == null || after.isEmpty()) {
			remove(manager);
		}
		else {
			this.fields.put(manager, after);
		}
	}

	void remove(Manager manager) {
		this.fields.remove(manager);
		this.versions.remove(manager);
	}

	void writtenAt(Manager manager, String time) {
		this.times.put(manager, time);
	}

	FieldSet union() {
		FieldSet union = new FieldSet();
		for (FieldSet set : this.fields.values()) {
			union = union.union(set);
		}
		return union;
	}

	/**
	 * If there are too many managers that write without apply, merges the oldest of them
	 * into one.
	 */
	void limitUpdaters() {
		List<Manager> updaters = new ArrayList<>(
				this.fields.keySet().stream().filter((any) -> !any.applies()).toList());
		int count = updaters.size();
		updaters.sort(Comparator.<Manager, String>comparing((manager) -> this.times.getOrDefault(manager, ""))
			.thenComparing(Comparator.naturalOrder()));
		Map<String, Manager> firsts = new HashMap<>();
		for (Manager manager : updaters) {
			if (count <= MOST_UPDATERS) {
				return;
			}
			String version = this.versions.getOrDefault(manager, "");
			Manager first = firsts.putIfAbsent(version, manager);
			if (first != null) {
				mergeInto(Manager.updating(ANCIENT, version, ""), first, manager, version);
				count--;
			}
		}
	}

	private void mergeInto(Manager bucket, Manager first, Manager manager, String version) {
		FieldSet ancient = this.fields.get(bucket);
		if (ancient == null) {
			ancient = this.fields.getOrDefault(first, new FieldSet());
			remove(first);
		}
		FieldSet merged = this.fields.getOrDefault(manager, new FieldSet()).union(ancient);
		remove(manager);
		put(bucket, version, merged);
		this.times.put(bucket, this.times.getOrDefault(manager, ""));
	}

	/**
	 * Returns the entries, in the order of real servers.
	 * @return the entries
	 */
	ArrayNode entries() {
		List<JsonNode> entries = new ArrayList<>();
		this.fields.forEach((manager, set) -> {
			ObjectNode entry = Json.object().put("apiVersion", this.versions.getOrDefault(manager, ""));
			entry.put("fieldsType", "FieldsV1").set("fieldsV1", set.fieldsV1());
			entry.put("manager", manager.name()).put("operation", manager.operation());
			if (!manager.subresource().isEmpty()) {
				entry.put("subresource", manager.subresource());
			}
			String time = this.times.get(manager);
			if (time != null) {
				entry.put("time", time);
			}
			entries.add(entry);
		});
		entries.sort(ORDER);
		ArrayNode array = Json.MAPPER.createArrayNode();
		entries.forEach(array::add);
		return array;
	}

}
