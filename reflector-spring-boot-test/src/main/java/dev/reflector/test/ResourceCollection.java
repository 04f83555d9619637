package dev.reflector.test;

import java.util.List;
import java.util.Optional;

import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.ServedType;
import dev.reflector.test.internal.store.ObjectRevision;
import dev.reflector.test.internal.store.ObjectStore;
import dev.reflector.test.internal.write.Patch;
import dev.reflector.test.internal.write.ResourceWrites;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A collection of the embedded server, without the detour over HTTP. Every change is seen
 * by lists and watches as if a client had made it, and is checked in the same way: what a
 * client would be refused is refused here with a
 * {@link dev.reflector.cache.source.ApiException}. Works while the server is stopped as
 * well.
 * <p>
 * An object is given as JSON text, a Jackson tree, a map, or anything that Jackson turns
 * into a JSON object. {@code apiVersion} and {@code kind} may be left out; the namespace
 * is {@code default} when an object that lives in namespaces does not name one.
 *
 * @since 0.1.0
 */
public final class ResourceCollection {

	private final ObjectStore store;

	private final ServedType type;

	private final ResourceWrites writes;

	ResourceCollection(ObjectStore store, ServedType type) {
		this.store = store;
		this.type = type;
		this.writes = new ResourceWrites(store, type);
	}

	/**
	 * Creates an object.
	 * @param object the object
	 * @return the object as the server keeps it
	 */
	public JsonNode create(Object object) {
		ObjectNode content = complete(object);
		return this.writes.create(namespaceOf(content), content).tree();
	}

	/**
	 * Replaces an object that exists. When the object given has a resource version, it
	 * must be the current one.
	 * @param object the object
	 * @return the object as the server keeps it
	 */
	public JsonNode replace(Object object) {
		ObjectNode content = complete(object);
		return this.writes.update(namespaceOf(content), nameOf(content), false, (before) -> content).tree();
	}

	/**
	 * Creates an object, or replaces it when it exists.
	 * @param object the object
	 * @return the object as the server keeps it
	 */
	public JsonNode apply(Object object) {
		ObjectNode content = complete(object);
		boolean exists = this.store.find(this.type, ObjectRevision.key(namespaceOf(content), nameOf(content))) != null;
		return exists ? replace(content) : create(content);
	}

	/**
	 * Changes an object by a JSON merge patch.
	 * @param namespace the namespace, {@code null} for an object outside namespaces
	 * @param name the name
	 * @param patch the patch
	 * @return the object as the server keeps it
	 */
	public JsonNode mergePatch(@Nullable String namespace, String name, Object patch) {
		ObjectNode change = Json.of(patch);
		return this.writes.update(orEmpty(namespace), name, false, (before) -> Patch.MERGE.apply(before, change))
			.tree();
	}

	/**
	 * Deletes an object. One with finalizers stays, marked as to be deleted, until its
	 * last finalizer is removed.
	 * @param namespace the namespace, {@code null} for an object outside namespaces
	 * @param name the name
	 */
	public void delete(@Nullable String namespace, String name) {
		this.writes.delete(orEmpty(namespace), name, Json.object());
	}

	/**
	 * One object.
	 * @param namespace the namespace, {@code null} for an object outside namespaces
	 * @param name the name
	 * @return the object, empty when it does not exist
	 */
	public Optional<JsonNode> get(@Nullable String namespace, String name) {
		return Optional.ofNullable(this.store.find(this.type, ObjectRevision.key(namespace, name)))
			.map(ObjectRevision::tree);
	}

	/**
	 * All objects of all namespaces.
	 * @return the objects by namespace and name
	 */
	public List<JsonNode> list() {
		return this.store.current(this.type).objects().stream().<JsonNode>map(ObjectRevision::tree).toList();
	}

	/**
	 * How many objects there are.
	 * @return the number of objects in all namespaces
	 */
	public int size() {
		return this.store.current(this.type).objects().size();
	}

	/**
	 * The version a list would have now. All collections of a server share one counter.
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
