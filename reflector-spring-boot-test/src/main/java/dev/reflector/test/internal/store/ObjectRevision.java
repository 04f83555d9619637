package dev.reflector.test.internal.store;

import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.ServedType;
import dev.reflector.test.internal.format.Representation;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One version of one object, rendered once as JSON, and once in every other way someone
 * asks for. The bytes are shared by every list and watch that shows this version and must
 * not be changed.
 *
 * @param namespace namespace, empty for an object outside namespaces
 * @param name name
 * @param uid UID
 * @param resourceVersion version
 * @param labels labels
 * @param json the whole object, beginning with {@link ServedType#opening()}
 * @param others the object as it was asked for otherwise
 */
public record ObjectRevision(String namespace, String name, String uid, long resourceVersion,
		Map<String, String> labels, byte[] json, Map<Representation, byte[]> others) {

	/**
	 * Renders a version of an object.
	 * @param type the type
	 * @param tree the content
	 * @param resourceVersion the version to write into it
	 * @return the version
	 */
	public static ObjectRevision render(ServedType type, ObjectNode tree, long resourceVersion) {
		ObjectNode copy = tree.deepCopy();
		ObjectNode metadata = Json.child(copy, "metadata");
		metadata.put("resourceVersion", Long.toString(resourceVersion));
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
		return new ObjectRevision(Json.text(metadata, "namespace"), Json.text(metadata, "name"),
				Json.text(metadata, "uid"), resourceVersion, Map.copyOf(labels), json.toByteArray(),
				new ConcurrentHashMap<>());
	}

	/**
	 * The place of the object in its collection. Keys sort as etcd sorts them.
	 * @param namespace namespace, {@code null} or empty for none
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
	 * The same content as of another version: what the last event about an object shows.
	 * @param type the type
	 * @param resourceVersion the version
	 * @return the content with that version
	 */
	ObjectRevision at(ServedType type, long resourceVersion) {
		return render(type, tree(), resourceVersion);
	}

	/**
	 * The content as a tree that the caller may change.
	 * @return a new tree
	 */
	public ObjectNode tree() {
		JsonNode tree = Json.MAPPER.readTree(this.json);
		return (ObjectNode) tree;
	}

	/**
	 * The object as someone wants to see it.
	 * @param representation how
	 * @return the bytes, which must not be changed
	 */
	public byte[] as(Representation representation) {
		return Representation.PLAIN.equals(representation) ? this.json
				: this.others.computeIfAbsent(representation, (other) -> other.write(tree(), this.resourceVersion));
	}

}
