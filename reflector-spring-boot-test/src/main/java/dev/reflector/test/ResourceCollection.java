package dev.reflector.test;

import java.util.List;
import java.util.Optional;

import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.ServedType;
import dev.reflector.test.internal.store.ObjectStore;
import dev.reflector.test.internal.store.ObjectRevision;
import dev.reflector.test.internal.write.Deletion;
import dev.reflector.test.internal.write.Patch;
import dev.reflector.test.internal.write.ResourceWrites;
import dev.reflector.test.internal.write.WriteOptions;
import dev.reflector.test.internal.write.Writes;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A collection of the embedded server, for access without HTTP. Lists and watches see
 * each change as if a client had made it. A write that the server would refuse for a
 * client throws an {@link dev.reflector.cache.source.ApiException}: for example, if the
 * object exists already, does not exist, or has another resource version. The content is
 * stored as it is; only {@link #serverSideApply} checks it by the schema of the type. The
 * collection also works while the server is stopped.
 * <p>
 * An object is given as JSON text, a Jackson tree, a map, or anything that Jackson turns
 * into a JSON object. {@code apiVersion} and {@code kind} may be left out. If the type
 * lives in namespaces and the object names none, its namespace is {@code default}.
 *
 * @since 0.1.0
 */
public final class ResourceCollection {

	private final ObjectStore store;

	private final ServedType type;

	private final Writes all;

	private final ResourceWrites writes;

	private final WriteOptions options;

	ResourceCollection(Writes writes, ServedType type) {
		this(writes, type, WriteOptions.direct(WriteOptions.TEST));
	}

	private ResourceCollection(Writes writes, ServedType type, WriteOptions options) {
		this.store = writes.store();
		this.type = type;
		this.all = writes;
		this.writes = writes.of(type);
		this.options = options;
	}

	/**
	 * Returns a view of this collection that writes under the name of a field manager.
	 * The manager owns the fields that it writes, like a client of this name ({@code
	 * metadata.managedFields}). If an object is created without the name of a manager,
	 * its fields have no owner until the object is applied for the first time; then they
	 * belong to {@code before-first-apply}. If an object already has managers, fields
	 * that are written without the name of a manager belong to {@code test}.
	 * @param manager the name of the field manager
	 * @return the collection
	 */
	public ResourceCollection managedBy(String manager) {
		return new ResourceCollection(this.all, this.type, WriteOptions.direct(manager));
	}

	/**
	 * Creates an object.
	 * @param object the object
	 * @return the object as stored by the server
	 */
	public JsonNode create(Object object) {
		ObjectNode content = complete(object);
		return this.writes.create(namespaceOf(content), content, this.options).tree();
	}

	/**
	 * Replaces an existing object. If the new object has a resource version, it must be
	 * the current version.
	 * @param object the object
	 * @return the object as stored by the server
	 */
	public JsonNode replace(Object object) {
		ObjectNode content = complete(object);
		return this.writes.replace(namespaceOf(content), nameOf(content), false, content, this.options).tree();
	}

	/**
	 * Creates an object, or replaces it if it exists.
	 * @param object the object
	 * @return the object as stored by the server
	 */
	public JsonNode apply(Object object) {
		ObjectNode content = complete(object);
		boolean exists = this.store.find(this.type, ObjectRevision.key(namespaceOf(content), nameOf(content))) != null;
		return exists ? replace(content) : create(content);
	}

	/**
	 * Applies an object by server-side apply, like a client, under the name that
	 * {@link #managedBy} has set. If the manager has applied a field before and leaves it
	 * out now, the field is removed, unless another manager owns it. If the type has the
	 * subresource {@code status}, a status in the object is ignored.
	 * @param object the object to apply; it must have a name
	 * @param force whether to take over fields that other managers own
	 * @return the object as stored by the server
	 * @throws dev.reflector.cache.source.ApiException if {@code force} is {@code false}
	 * and the object would change fields that other managers own
	 */
	public JsonNode serverSideApply(Object object, boolean force) {
		ObjectNode content = complete(object);
		return this.writes.apply(namespaceOf(content), nameOf(content), false, content, this.options.forced(force))
			.object()
			.tree();
	}

	/**
	 * Changes an object by a JSON merge patch.
	 * @param namespace the namespace, or {@code null} for an object outside of namespaces
	 * @param name the name
	 * @param patch the patch
	 * @return the object as stored by the server
	 */
	public JsonNode mergePatch(@Nullable String namespace, String name, Object patch) {
		ObjectNode change = Json.of(patch);
		return this.writes
			.patch(orEmpty(namespace), name, false, (before) -> Patch.MERGE.apply(before, change), this.options)
			.tree();
	}

	/**
	 * Deletes an object. An object with finalizers is only marked for deletion, until its
	 * last finalizer is removed.
	 * @param namespace the namespace, or {@code null} for an object outside of namespaces
	 * @param name the name
	 */
	public void delete(@Nullable String namespace, String name) {
		this.writes.delete(orEmpty(namespace), name, Deletion.DEFAULT);
	}

	/**
	 * Returns one object.
	 * @param namespace the namespace, or {@code null} for an object outside of namespaces
	 * @param name the name
	 * @return the object, empty if it does not exist
	 */
	public Optional<JsonNode> get(@Nullable String namespace, String name) {
		return Optional.ofNullable(this.store.find(this.type, ObjectRevision.key(namespace, name)))
			.map(ObjectRevision::tree);
	}

	/**
	 * Returns all objects of all namespaces.
	 * @return the objects, sorted by namespace and name
	 */
	public List<JsonNode> list() {
		return this.store.current(this.type).objects().stream().<JsonNode>map(ObjectRevision::tree).toList();
	}

	/**
	 * Returns how many objects there are.
	 * @return the number of objects in all namespaces
	 */
	public int size() {
		return this.store.current(this.type).objects().size();
	}

	/**
	 * Returns the version that a list would have now. All collections of a server share
	 * one counter.
	 * @return the version
	 */
	public String resourceVersion() {
		return Long.toString(this.store.resourceVersion());
	}

	private ObjectNode complete(Object object) {
		ObjectNode given = Json.of(object);
		ObjectNode content = Json.object().put("apiVersion", this.type.apiVersion()).put("kind", this.type.kind());
		content.setAll(given);
		ObjectNode metadata = Json.child(content, "metadata");
		if (this.type.namespaced() && Json.text(metadata, "namespace").isEmpty()) {
			metadata.put("namespace", "default");
		}
		return content;
	}

	private String namespaceOf(ObjectNode content) {
		return this.type.namespaced() ? Json.text(content.path("metadata"), "namespace") : "";
	}

	private static String nameOf(ObjectNode content) {
		return Json.text(content.path("metadata"), "name");
	}

	private static String orEmpty(@Nullable String namespace) {
		return (namespace != null) ? namespace : "";
	}

	@Override
	public String toString() {
		return this.type.qualifiedPlural();
	}

}
