package dev.reflector.test.internal.store;

import java.io.ByteArrayOutputStream;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.ServedType;
import dev.reflector.test.internal.format.Representation;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One version of one object. It is rendered once as JSON, and once in every other
 * requested representation. All lists and watches that show this version share the bytes,
 * which must not be changed.
 *
 * @param namespace namespace, empty for an object outside namespaces
 * @param name name
 * @param uid UID
 * @param resourceVersion version
 * @param labels labels
 * @param owners the UIDs of the object's owners
 * @param json the bytes of the whole object as JSON. They begin with the bytes of
 * {@link ServedType#opening()}, which contain API version and kind
 * @param others the bytes of the object in all other representations that were requested
 * so far
 */
public record ObjectRevision(String namespace, String name, String uid, long resourceVersion,
		Map<String, String> labels, Set<String> owners, byte[] json, Map<Representation, byte[]> others) {

	/**
	 * Renders a version of an object.
	 * @param type the type
	 * @param tree the content
	 * @param resourceVersion the version to write into the object, 0 for an object that
	 * is not stored
	 * @return the version
	 */
	public static ObjectRevision render(ServedType type, ObjectNode tree, long resourceVersion) {
		ObjectNode copy = tree.deepCopy();
		ObjectNode metadata = Json.child(copy, "metadata");
		if (resourceVersion > 0) {
			metadata.put("resourceVersion", Long.toString(resourceVersion));
		}
		else {
			metadata.remove("resourceVersion");
		}
		ObjectNode rest = Json.object();
		rest.set("metadata", metadata);
		copy.forEachEntry((name, value) -> {
			if (!"apiVersion".equals(name) && !"kind".equals(name)) {
				rest.set(name, value);
			}
		});
		byte[] opening = type.opening();
		byte[] tail = Json.bytes(rest);
		ByteArrayOutputStream json = new ByteArrayOutputStream(opening.length + tail.length);
		json.write(opening, 0, opening.length);
		json.write(tail, 1, tail.length - 1);
		Map<String, String> labels = new LinkedHashMap<>();
		metadata.path("labels").forEachEntry((key, value) -> labels.put(key, value.stringValue("")));
		Set<String> owners = new HashSet<>();
		metadata.path("ownerReferences").forEach((owner) -> owners.add(Json.text(owner, "uid")));
		return new ObjectRevision(Json.text(metadata, "namespace"), Json.text(metadata, "name"),
				Json.text(metadata, "uid"), resourceVersion, Map.copyOf(labels), Set.copyOf(owners), json.toByteArray(),
				new ConcurrentHashMap<>());
	}

	/**
	 * Returns the key of an object in its collection. Keys sort as in etcd.
	 * @param namespace namespace, or {@code null} or empty for none
	 * @param name name
	 * @return the key
	 */
	public static String key(@Nullable String namespace, String name) {
		return (namespace == null || namespace.isEmpty()) ? name : namespace + "/" + name;
	}

	public String key() {
		return key(this.namespace, this.name);
	}

	/**
	 * Returns a copy of this object with another version.
	 * @param type the type
	 * @param resourceVersion the version
	 * @return the object with the given version
	 */
	ObjectRevision at(ServedType type, long resourceVersion) {
		return render(type, tree(), resourceVersion);
	}

	/**
	 * Returns the object as a tree that the caller may change.
	 * @return a new tree
	 */
	public ObjectNode tree() {
		JsonNode tree = Json.MAPPER.readTree(this.json);
		return (ObjectNode) tree;
	}

	/**
	 * Returns the object in a representation.
	 * @param representation the representation
	 * @return the bytes, which must not be changed
	 */
	public byte[] as(Representation representation) {
		return Representation.PLAIN.equals(representation) ? this.json
				: this.others.computeIfAbsent(representation, (other) -> other.write(tree(), this.resourceVersion));
	}

}
