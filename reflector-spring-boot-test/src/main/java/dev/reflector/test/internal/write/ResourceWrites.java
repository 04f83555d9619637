package dev.reflector.test.internal.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import dev.reflector.cache.source.Status;
import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.Parameters;
import dev.reflector.test.internal.api.ServedType;
import dev.reflector.test.internal.fields.FieldPath;
import dev.reflector.test.internal.fields.FieldSet;
import dev.reflector.test.internal.merge.FieldManager;
import dev.reflector.test.internal.schema.Coercion;
import dev.reflector.test.internal.schema.ResourceSchema;
import dev.reflector.test.internal.schema.ResourceSchema.StatusRule;
import dev.reflector.test.internal.store.ObjectStore;
import dev.reflector.test.internal.store.ObjectRevision;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the objects of one type: creates, replaces, patches, applies and deletes them.
 */
public final class ResourceWrites {

	private static final String STATUS = "status";

	private static final String MANAGED_FIELDS = "managedFields";

	private final Writes writes;

	private final ObjectStore store;

	private final ServedType type;

	private final ResourceSchema schema;

	private final MetadataRules rules;

	ResourceWrites(Writes writes, ServedType type) {
		this.writes = writes;
		this.store = writes.store();
		this.type = type;
		this.schema = writes.schemas().of(type);
		this.rules = new MetadataRules(type);
	}

	/**
	 * Whether the type has a subresource.
	 * @param name the name of the subresource
	 * @return whether the type has it
	 */
	public boolean hasSubresource(String name) {
		return STATUS.equals(name) && this.schema.status() != StatusRule.FIELD;
	}

	/**
	 * Creates an object.
	 * @param namespace the namespace, empty for none
	 * @param content the object, which this method changes
	 * @param options the manager and the options of the write
	 * @return the object as stored
	 */
	public ObjectRevision create(String namespace, ObjectNode content, WriteOptions options) {
		this.rules.checkType(content);
		ObjectNode metadata = Json.child(content, "metadata");
		if (!Json.text(metadata, "resourceVersion").isEmpty()) {
			throw ApiFailure.unexpected("resourceVersion should not be set on objects to be created");
		}
		this.rules.generateName(metadata);
		String name = Json.text(metadata, "name");
		this.rules.checkName(name, !options.direct());
		MetadataRules.checkNamespace(metadata, namespace);
		MetadataRules.wipe(metadata);
		if (!options.direct()) {
			coerce(content, options, "");
			this.rules.checkMetadata(name, metadata, true);
		}
		ObjectNode owned = (options.direct() && options.manager().equals(WriteOptions.TEST)) ? content
				: owned(typeOnly(), content, false, options);
		ObjectRevision created = write(ObjectRevision.key(namespace, name), options.dryRun(), (before) -> {
			if (before != null) {
				throw ApiFailure.alreadyExists(this.type, name, before.path("metadata").has("deletionTimestamp"));
			}
			return created(owned, options);
		});
		return Objects.requireNonNull(created);
	}

	private ObjectNode created(ObjectNode content, WriteOptions options) {
		if (this.schema.status() == StatusRule.SUBRESOURCE && !options.direct()) {
			content.remove(STATUS);
		}
		MetadataRules.fill(Json.child(content, "metadata"), this.schema.generations());
		return options.direct() ? content : MetadataRules.requireSmall(content);
	}

	private ObjectNode typeOnly() {
		return Json.object().put("apiVersion", this.type.apiVersion()).put("kind", this.type.kind());
	}

	private FieldManager fieldManager(boolean status) {
		FieldSet reset = new FieldSet();
		if (status) {
			reset = FieldSet.of(FieldPath.of("metadata"), FieldPath.of("spec"));
		}
		else if (this.schema.status() == StatusRule.SUBRESOURCE) {
			reset = FieldSet.of(FieldPath.of(STATUS));
		}
		return new FieldManager(this.schema.merging(), this.type.apiVersion(), status ? STATUS : "", reset,
				MetadataRules.now());
	}

	private void coerce(ObjectNode content, WriteOptions options, String patchOf) {
		Coercion coercion = this.schema.coercion();
		List<String> problems = new ArrayList<>(options.repeated());
		if (coercion != null) {
			problems.addAll(StrictDecoding.unknown(coercion.coerce(content)));
		}
		if (options.validation() == FieldValidation.STRICT && !problems.isEmpty()) {
			StrictDecoding.refuse(this.type, problems, patchOf);
		}
		if (options.validation() == FieldValidation.WARN) {
			problems.forEach(options.warnings());
		}
		MetadataRules.dropEmpty(Json.child(content, "metadata"));
	}

	/**
	 * Replaces an existing object.
	 * @param namespace the namespace, empty for none
	 * @param name the name
	 * @param statusOnly whether only the status is changed
	 * @param content the new content
	 * @param options the manager and the options of the write
	 * @return the new state of the object; if the object was marked for deletion and this
	 * write has removed its last finalizer, its last state
	 */
	public ObjectRevision replace(String namespace, String name, boolean statusOnly, ObjectNode content,
			WriteOptions options) {
		this.rules.checkType(content);
		if (!options.direct()) {
			coerce(content, options, "");
		}
		return update(namespace, name, statusOnly, (before) -> {
			this.rules.checkPrecondition(ObjectRevision.key(namespace, name), name, content.path("metadata"),
					before.path("metadata"));
			if (!options.direct()) {
				this.rules.requireVersion(name, content.path("metadata"));
			}
			return content.deepCopy();
		}, false, options);
	}

	/**
	 * Changes an existing object.
	 * @param namespace the namespace, empty for none
	 * @param name the name
	 * @param statusOnly whether only the status is changed
	 * @param change makes the new content from a copy of the old content
	 * @param options the manager and the options of the write
	 * @return the new state of the object; if the object was marked for deletion and this
	 * change has removed its last finalizer, its last state
	 */
	public ObjectRevision patch(String namespace, String name, boolean statusOnly, UnaryOperator<ObjectNode> change,
			WriteOptions options) {
		return update(namespace, name, statusOnly, change, true, options);
	}

	private ObjectRevision update(String namespace, String name, boolean statusOnly, UnaryOperator<ObjectNode> change,
			boolean patch, WriteOptions options) {
		ObjectNode[] last = new ObjectNode[1];
		ObjectRevision updated = write(ObjectRevision.key(namespace, name), options.dryRun(), (before) -> {
			if (before == null) {
				throw ApiFailure.notFound(this.type, name);
			}
			ObjectNode asked = change.apply(before.deepCopy());
			this.rules.checkType(asked);
			ObjectNode metadata = Json.child(asked, "metadata");
			this.rules.checkSameName(metadata, name, name);
			MetadataRules.checkNamespace(metadata, namespace);
			if (patch && !options.direct()) {
				coerce(asked, options, asked.toString());
			}
			last[0] = admit(name, before, managed(before, asked, statusOnly, options), statusOnly, options);
			return MetadataRules.isDoomed(last[0]) ? null : last[0];
		});
		return (updated != null) ? updated : ObjectRevision.render(this.type, last[0], this.store.resourceVersion());
	}

	/**
	 * Records the manager of a write in the managed fields. If a test writes directly,
	 * this is done only if the object already has managed fields.
	 */
	private ObjectNode managed(ObjectNode before, ObjectNode asked, boolean statusOnly, WriteOptions options) {
		boolean tracked = FieldManager.isRecord(before.path("metadata").path(MANAGED_FIELDS));
		return (tracked || !options.direct()) ? owned(before, asked, statusOnly, options) : asked;
	}

	/**
	 * Makes the manager the owner of what it writes. A client must write the status
	 * separately, but a test that writes directly writes it together with the object.
	 */
	private ObjectNode owned(ObjectNode before, ObjectNode asked, boolean statusOnly, WriteOptions options) {
		ObjectNode owned = fieldManager(statusOnly).update(before, asked, options.manager());
		if (!options.direct() || this.schema.status() != StatusRule.SUBRESOURCE
				|| Objects.equals(before.get(STATUS), owned.get(STATUS))) {
			return owned;
		}
		ObjectNode live = owned.deepCopy();
		copy(before, live, STATUS);
		return fieldManager(true).update(live, owned, options.manager());
	}

	private ObjectNode admit(String name, ObjectNode before, ObjectNode asked, boolean statusOnly,
			WriteOptions options) {
		JsonNode old = before.path("metadata");
		this.rules.checkVersion(name, asked.path("metadata"), old);
		ObjectNode after = statusOnly ? withStatusOf(before, asked) : asked;
		ObjectNode metadata = Json.child(after, "metadata");
		if (!statusOnly) {
			this.rules.checkImmutable(name, asked.path("metadata"), old);
			if (!options.direct()) {
				this.rules.checkMetadata(name, metadata, false);
			}
		}
		if (!statusOnly && this.schema.status() == StatusRule.SUBRESOURCE && !options.direct()) {
			copy(before, after, STATUS);
		}
		MetadataRules.keep(metadata, old);
		if (old.has("generation") && !specification(before).equals(specification(after))) {
			metadata.put("generation", old.path("generation").longValue(0) + 1);
		}
		if (ManagerTimes.onlyTimesDiffer(before, after)) {
			return before;
		}
		return options.direct() ? after : MetadataRules.requireSmall(after);
	}

	private static void copy(ObjectNode from, ObjectNode to, String field) {
		JsonNode value = from.get(field);
		if (value != null) {
			to.set(field, value);
		}
		else {
			to.remove(field);
		}
	}

	private static ObjectNode withStatusOf(ObjectNode before, ObjectNode asked) {
		ObjectNode result = before.deepCopy();
		copy(asked, result, STATUS);
		JsonNode managers = asked.path("metadata").get(MANAGED_FIELDS);
		if (managers != null) {
			Json.child(result, "metadata").set(MANAGED_FIELDS, managers);
		}
		return result;
	}

	private ObjectNode specification(ObjectNode object) {
		ObjectNode copy = object.deepCopy();
		copy.remove("metadata");
		if (this.schema.status() != StatusRule.FIELD) {
			copy.remove(STATUS);
		}
		return copy;
	}

	/**
	 * Applies the body of a request.
	 * @param namespace the namespace, empty for none
	 * @param name the name
	 * @param statusOnly whether only the status is changed
	 * @param body the applied object, in YAML or JSON
	 * @param parameters the query parameters, with the manager and the options
	 * @param warnings receives warnings for the client
	 * @return the new state of the object, and whether it was created
	 */
	public Applied apply(String namespace, String name, boolean statusOnly, byte[] body, Parameters parameters,
			Consumer<String> warnings) {
		WriteOptions options = WriteOptions.ofApply(parameters, warnings);
		ObjectNode applied = AppliedBody.read(body);
		// fields that occur twice are reported only if there is no conflict
		return apply(namespace, name, statusOnly, applied, options, () -> {
			List<String> repeated = (options.validation() != FieldValidation.IGNORE) ? AppliedBody.repeated(body)
					: List.of();
			if (options.validation() == FieldValidation.STRICT && !repeated.isEmpty()) {
				throw AppliedBody.notUnique(repeated);
			}
			repeated.forEach(warnings);
		});
	}

	/**
	 * Merges an applied object into an existing object, or creates it.
	 * @param namespace the namespace, empty for none
	 * @param name the name
	 * @param statusOnly whether only the status is changed
	 * @param applied the applied object
	 * @param options the manager and the options of the apply
	 * @return the new state of the object, and whether it was created
	 */
	public Applied apply(String namespace, String name, boolean statusOnly, ObjectNode applied, WriteOptions options) {
		return apply(namespace, name, statusOnly, applied, options, () -> {
		});
	}

	private Applied apply(String namespace, String name, boolean statusOnly, ObjectNode applied, WriteOptions options,
			Runnable afterMerge) {
		boolean[] creates = new boolean[1];
		ObjectNode[] last = new ObjectNode[1];
		ObjectRevision stored = write(ObjectRevision.key(namespace, name), options.dryRun(), (before) -> {
			if (before == null && statusOnly) {
				throw ApiFailure.notFound(this.type, name);
			}
			ObjectNode live = (before != null) ? before : typeOnly();
			ObjectNode merged = merge(live, applied, statusOnly, options);
			afterMerge.run();
			requireIdentity(namespace, name, before == null, Json.child(merged, "metadata"));
			creates[0] = before == null;
			last[0] = (before != null) ? admit(name, before, merged, statusOnly, options)
					: created(requireMetadata(merged), options);
			requireNoNulls(name, last[0]);
			return MetadataRules.isDoomed(last[0]) ? null : last[0];
		});
		return new Applied(
				(stored != null) ? stored : ObjectRevision.render(this.type, last[0], this.store.resourceVersion()),
				creates[0]);
	}

	private ObjectNode requireMetadata(ObjectNode object) {
		JsonNode metadata = object.path("metadata");
		String name = Json.text(metadata, "name");
		this.rules.checkName(name, true);
		this.rules.checkMetadata(name, metadata, true);
		return object;
	}

	private ObjectNode merge(ObjectNode live, ObjectNode applied, boolean statusOnly, WriteOptions options) {
		this.rules.checkAppliedType(applied);
		ObjectNode merged;
		try {
			merged = fieldManager(statusOnly).apply(live, applied, options.manager(), options.force());
		}
		catch (IllegalArgumentException ex) {
			throw ApiFailure.unexpected(Objects.requireNonNullElse(ex.getMessage(), ex.toString()));
		}
		Coercion coercion = this.schema.coercion();
		if (coercion != null) {
			coercion.defaults(merged);
		}
		if (!statusOnly && this.schema.status() == StatusRule.SUBRESOURCE) {
			// also in the apply of a test, which is like one of a client
			copy(live, merged, STATUS);
		}
		return merged;
	}

	private void requireIdentity(String namespace, String name, boolean creates, ObjectNode metadata) {
		String uid = Json.text(metadata, "uid");
		if (!uid.isEmpty() && creates) {
			throw ApiFailure.conflict(this.type, name,
					"uid mismatch: the provided object specified uid " + uid + ", and no existing object was found");
		}
		MetadataRules.checkNamespace(metadata, namespace);
		this.rules.checkSameName(metadata, name, "");
		MetadataRules.dropEmpty(metadata);
	}

	private void requireNoNulls(String name, ObjectNode object) {
		Coercion coercion = this.schema.coercion();
		List<Status.Cause> causes = (coercion != null) ? coercion.nulls(object) : List.of();
		if (!causes.isEmpty()) {
			throw ApiFailure.invalid(this.type, name, causes);
		}
	}

	/**
	 * Deletes an object, or marks it for deletion if it has finalizers.
	 * @param namespace the namespace, empty for none
	 * @param name the name
	 * @param deletion the options of the deletion
	 * @return the answer to the client: the object if it still exists, otherwise a status
	 */
	public ObjectNode delete(String namespace, String name, Deletion deletion) {
		ObjectNode[] answer = new ObjectNode[1];
		ObjectRevision left = write(ObjectRevision.key(namespace, name), deletion.dryRun(), (before) -> {
			if (before == null) {
				throw ApiFailure.notFound(this.type, name);
			}
			ObjectNode metadata = Json.child(before, "metadata");
			deletion.check(this.type, name, metadata);
			answer[0] = ApiFailure.success(this.type, name, Json.text(metadata, "uid"));
			deletion.setFinalizer(metadata);
			if (metadata.path("finalizers").isEmpty()) {
				return null;
			}
			if (!metadata.has("deletionTimestamp")) {
				metadata.put("deletionTimestamp", MetadataRules.now()).put("deletionGracePeriodSeconds", 0);
				if (metadata.has("generation")) {
					metadata.put("generation", metadata.path("generation").longValue(0) + 1);
				}
			}
			return before;
		});
		if (left != null && !deletion.dryRun() && this.writes.garbageCollection()) {
			new GarbageCollector(this.writes).waiting(this.type, left);
		}
		return (left != null) ? left.tree() : answer[0];
	}

	private @Nullable ObjectRevision write(String key, boolean dryRun, ObjectStore.Write write) {
		if (!dryRun) {
			ObjectStore.Written written = this.store.write(this.type, key, write);
			if (written.before() != null && written.after() == null && this.writes.garbageCollection()) {
				new GarbageCollector(this.writes).gone(written.before());
			}
			return written.after();
		}
		ObjectRevision before = this.store.find(this.type, key);
		ObjectNode content = write.apply((before != null) ? before.tree() : null);
		return (content != null)
				? ObjectRevision.render(this.type, content, (before != null) ? before.resourceVersion() : 0) : null;
	}

	/**
	 * The result of an apply.
	 *
	 * @param object the new state of the object
	 * @param created whether the apply created the object
	 */
	public record Applied(ObjectRevision object, boolean created) {

	}

}
