package dev.reflector.test.internal.merge;

import java.util.SortedMap;
import java.util.TreeMap;

import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.fields.FieldPath;
import dev.reflector.test.internal.fields.FieldSet;
import dev.reflector.test.internal.fields.PathElement;
import dev.reflector.test.internal.fields.Values;
import dev.reflector.test.internal.schema.MergeSchema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Records which manager owns which field, for all kinds of writes, and merges applied
 * objects.
 *
 * @param schema the schema of the objects
 * @param apiVersion the API version in which the objects are written
 * @param subresource the subresource that is written, empty for none
 * @param reset fields that the server ignores in this write, so the writer does not
 * become their owner
 * @param now the current time
 */
public record FieldManager(MergeSchema schema, String apiVersion, String subresource, FieldSet reset, String now) {

	private static final String BEFORE_FIRST_APPLY = "before-first-apply";

	private static final String CURRENT_OPERATION = "current-operation";

	private static final String MANAGED_FIELDS = "managedFields";

	private static final PathElement METADATA = new PathElement.Field("metadata");

	/**
	 * The fields without an owner: fields that identify an object, and fields that the
	 * server itself sets.
	 */
	private static final FieldSet UNOWNED = FieldSet.of(FieldPath.of("apiVersion"), FieldPath.of("kind"),
			FieldPath.of("metadata"), meta("name"), meta("namespace"), meta("creationTimestamp"), meta("selfLink"),
			meta("uid"), meta("clusterName"), meta("generation"), meta(MANAGED_FIELDS), meta("resourceVersion"));

	private static FieldPath meta(String field) {
		return FieldPath.ROOT.then(METADATA).then(new PathElement.Field(field));
	}

	/**
	 * Records a write that is not an apply.
	 * @param live the current object; if this write creates the object, an object with
	 * only API version and kind
	 * @param changed the new object, which this method changes
	 * @param name name of the manager that writes
	 * @return the changed object with its managers
	 */
	public ObjectNode update(ObjectNode live, ObjectNode changed, String name) {
		ObjectNode metadata = Json.child(changed, "metadata");
		Managers managers = this.subresource.isEmpty() ? managersOf(live, metadata.get(MANAGED_FIELDS))
				: managersOf(live, null);
		ObjectNode before = unmanaged(live);
		metadata.remove(MANAGED_FIELDS);
		boolean creates = Json.text(live.path("metadata"), "uid").isEmpty();
		if (!managers.isEmpty() || creates) {
			try {
				record(before, changed, managers, name);
				managers.limitUpdaters();
			}
			catch (IllegalArgumentException ex) {
				// as in real servers: the managers are removed, because no record is
				// better than a wrong record
				return changed;
			}
			write(changed, managers);
		}
		return changed;
	}

	/**
	 * Whether entries are a valid record of managers.
	 * @param entries the managed fields of an object
	 * @return whether the record is valid; {@code false} if there are no entries
	 */
	public static boolean isRecord(JsonNode entries) {
		Managers managers = Managers.parse(entries);
		return managers != null && !managers.isEmpty();
	}

	/**
	 * Returns the managers that the written object contains, if they are valid, or else
	 * the managers of the current object.
	 */
	private static Managers managersOf(ObjectNode live, @Nullable JsonNode asked) {
		if (asked != null && asked.size() == 1 && asked.path(0).isEmpty()) {
			return new Managers();
		}
		Managers managers = (asked != null) ? Managers.parse(asked) : null;
		if (managers == null || managers.isEmpty()) {
			managers = Managers.parse(live.path("metadata").path(MANAGED_FIELDS));
		}
		return (managers != null) ? managers : new Managers();
	}

	private static ObjectNode unmanaged(ObjectNode object) {
		ObjectNode copy = object.deepCopy();
		if (copy.get("metadata") instanceof ObjectNode metadata) {
			metadata.remove(MANAGED_FIELDS);
		}
		return copy;
	}

	private void write(ObjectNode object, Managers managers) {
		if (!managers.isEmpty()) {
			Json.child(object, "metadata").set(MANAGED_FIELDS, managers.entries());
		}
	}

	private void record(ObjectNode before, ObjectNode after, Managers managers, String name) {
		requireFit("failed to convert new object to smd typed", after, true);
		Manager current = Manager.updating(CURRENT_OPERATION, this.apiVersion, this.subresource);
		Comparison comparison = settle(before, after, managers, current, true);
		FieldSet written = comparison.modified().union(comparison.added()).difference(UNOWNED);
		if (!written.isEmpty()) {
			Manager manager = Manager.updating(name, this.apiVersion, this.subresource);
			FieldSet own = managers.of(manager);
			managers.put(manager, this.apiVersion, (own != null) ? written.union(own) : written);
			managers.writtenAt(manager, this.now);
		}
	}

	/**
	 * Merges an applied object into the current object.
	 * @param live the current object; if it does not exist, an object with only API
	 * version and kind
	 * @param applied the applied object
	 * @param name name of the manager that applies
	 * @param force whether to take fields from other managers
	 * @return the merged object with its managers
	 * @throws ApiFailure if the apply would change fields that other managers own and
	 * {@code force} is {@code false}
	 */
	public ObjectNode apply(ObjectNode live, ObjectNode applied, String name, boolean force) {
		Managers managers = managersOf(live, null);
		ObjectNode before = unmanaged(live);
		if (managers.isEmpty()) {
			record(typeOf(live), before, managers, BEFORE_FIRST_APPLY);
		}
		requireFit("failed to create typed patch object", applied, false);
		Manager manager = Manager.applying(name, this.subresource);
		FieldSet last = managers.of(manager);
		FieldSet own = FieldsOf.object(this.schema, applied).without(this.reset);
		managers.put(manager, this.apiVersion, own);
		JsonNode merged = Merging.merge(this.schema, before, applied);
		if (merged != null && last != null) {
			merged = withoutGivenUp(merged, managers, last);
		}
		ObjectNode after = (merged instanceof ObjectNode object) ? object.deepCopy() : Json.object();
		settle(before, after, managers, manager, force);
		boolean changed = !Values.equal(before, after);
		managers.change(manager, (set) -> set.difference(UNOWNED));
		if (changed) {
			managers.writtenAt(manager, this.now);
		}
		write(after, managers);
		return after;
	}

	private static ObjectNode typeOf(ObjectNode object) {
		return Json.object().put("apiVersion", Json.text(object, "apiVersion")).put("kind", Json.text(object, "kind"));
	}

	private void requireFit(String what, ObjectNode object, boolean duplicatesAllowed) {
		String errors = SchemaCheck.errors(this.schema, object, duplicatesAllowed);
		if (errors != null) {
			String name = Json.text(object.path("metadata"), "namespace") + "/"
					+ Json.text(object.path("metadata"), "name");
			throw new IllegalArgumentException(what + " (" + name + "; " + Json.text(object, "apiVersion") + ", Kind="
					+ Json.text(object, "kind") + "): " + errors);
		}
	}

	/**
	 * Takes from all other managers the fields that this write removes or changes. Fails
	 * if a field of another manager would change and {@code force} is {@code false}.
	 */
	private Comparison settle(ObjectNode before, ObjectNode after, Managers managers, Manager writer, boolean force) {
		Comparison comparison = Comparison.of(this.schema, before, after).without(this.reset);
		FieldSet written = comparison.modified().union(comparison.added());
		SortedMap<Manager, FieldSet> conflicts = new TreeMap<>();
		for (Manager manager : managers.all()) {
			FieldSet set = managers.of(manager);
			if (manager.equals(writer) || set == null) {
				continue;
			}
			if (!managers.isOf(manager, this.apiVersion)) {
				// the entry is for another API version, so its fields cannot be compared
				// with this write
				managers.remove(manager);
				continue;
			}
			FieldSet taken = set.intersection(written);
			if (!taken.isEmpty()) {
				conflicts.put(manager, taken);
			}
		}
		if (!force && !conflicts.isEmpty()) {
			throw Conflicts.failure(conflicts);
		}
		for (Manager manager : managers.all()) {
			FieldSet taken = conflicts.getOrDefault(manager, new FieldSet());
			managers.change(manager,
					(set) -> manager.equals(writer) ? set : set.difference(taken).difference(comparison.removed()));
		}
		return comparison;
	}

	/**
	 * Removes the fields that the manager has applied in its last apply and does not
	 * apply now, unless another manager owns them.
	 */
	private JsonNode withoutGivenUp(JsonNode merged, Managers managers, FieldSet last) {
		if (last.isEmpty()) {
			return merged;
		}
		FieldSet all = named(FieldsOf.object(this.schema, merged));
		FieldSet given = named(last);
		JsonNode pruned = Removal.remove(this.schema, merged, given);
		FieldSet kept = named(FieldsOf.object(this.schema, pruned)).union(named(managers.union()));
		pruned = Removal.remove(this.schema, merged, all.difference(kept));
		FieldSet left = named(FieldsOf.object(this.schema, pruned));
		return Removal.remove(this.schema, merged, all.difference(left).intersection(given));
	}

	private FieldSet named(FieldSet set) {
		return set.with(new NamedFields(this.schema));
	}

}
