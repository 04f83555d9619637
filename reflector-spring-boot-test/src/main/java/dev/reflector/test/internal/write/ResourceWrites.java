package dev.reflector.test.internal.write;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.ServedType;
import dev.reflector.test.internal.store.ObjectRevision;
import dev.reflector.test.internal.store.ObjectStore;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a write may do to an object, and the metadata that the server keeps itself.
 */
public final class ResourceWrites {

	private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.:-]*[a-z0-9])?");

	private static final String SUFFIX_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

	private static final String MODIFIED_MEANWHILE = "the object has been modified; please apply your changes to the "
			+ "latest version and try again";

	private final ObjectStore store;

	private final ServedType type;

	public ResourceWrites(ObjectStore store, ServedType type) {
		this.store = store;
		this.type = type;
	}

	public ObjectRevision create(String namespace, ObjectNode content) {
		checkType(content);
		ObjectNode metadata = Json.child(content, "metadata");
		if (!Json.text(metadata, "resourceVersion").isEmpty()) {
			throw ApiFailure.unexpected("resourceVersion should not be set on objects to be created");
		}
		String prefix = Json.text(metadata, "generateName");
		if (Json.text(metadata, "name").isEmpty() && !prefix.isEmpty()) {
			metadata.put("name", prefix + randomSuffix());
		}
		String name = Json.text(metadata, "name");
		checkName(name);
		checkNamespace(metadata, namespace);
		metadata.put("uid", UUID.randomUUID().toString());
		metadata.put("creationTimestamp", now());
		metadata.put("generation", 1);
		metadata.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds"));
		ObjectRevision created = this.store.write(this.type, ObjectRevision.key(namespace, name), (before) -> {
			if (before != null) {
				throw ApiFailure.alreadyExists(this.type, name);
			}
			return content;
		});
		return Objects.requireNonNull(created);
	}

	/**
	 * Changes an object that exists.
	 * @param namespace the namespace
	 * @param name the name
	 * @param statusOnly whether everything but the status stays as it is
	 * @param change makes the new content out of a copy of the old one
	 * @return the object as it is now, or as it was last when the change removed the last
	 * finalizer of an object that was to be deleted
	 */
	public ObjectRevision update(String namespace, String name, boolean statusOnly, UnaryOperator<ObjectNode> change) {
		ObjectNode[] last = new ObjectNode[1];
		ObjectRevision updated = this.store.write(this.type, ObjectRevision.key(namespace, name), (before) -> {
			if (before == null) {
				throw ApiFailure.notFound(this.type, name);
			}
			ObjectNode asked = change.apply(before.deepCopy());
			checkType(asked);
			ObjectNode metadata = Json.child(asked, "metadata");
			if (!name.equals(metadata.path("name").stringValue(name))) {
				throw ApiFailure.badRequest("the name of the object (" + Json.text(metadata, "name")
						+ ") does not match the name on the URL (" + name + ")");
			}
			metadata.put("name", name);
			checkNamespace(metadata, namespace);
			checkUnchanged(name, metadata, before.path("metadata"));
			last[0] = admit(before, statusOnly ? withStatusOf(before, asked) : asked);
			return isDoomed(last[0]) ? null : last[0];
		});
		return (updated != null) ? updated : ObjectRevision.render(this.type, last[0], this.store.resourceVersion());
	}

	private static ObjectNode admit(ObjectNode before, ObjectNode after) {
		ObjectNode metadata = Json.child(after, "metadata");
		JsonNode old = before.path("metadata");
		for (String kept : List.of("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
				"generation", "resourceVersion")) {
			if (old.has(kept)) {
				metadata.set(kept, old.get(kept));
			}
			else {
				metadata.remove(kept);
			}
		}
		if (!specification(before).equals(specification(after))) {
			metadata.put("generation", old.path("generation").longValue(0) + 1);
		}
		return after;
	}

	private static boolean isDoomed(ObjectNode object) {
		JsonNode metadata = object.path("metadata");
		return metadata.has("deletionTimestamp") && metadata.path("finalizers").isEmpty();
	}

	private static ObjectNode withStatusOf(ObjectNode before, ObjectNode asked) {
		ObjectNode result = before.deepCopy();
		JsonNode status = asked.get("status");
		if (status != null) {
			result.set("status", status);
		}
		else {
			result.remove("status");
		}
		return result;
	}

	private static ObjectNode specification(ObjectNode object) {
		ObjectNode copy = object.deepCopy();
		copy.remove(List.of("metadata", "status"));
		return copy;
	}

	/**
	 * Deletes an object, or marks it as to be deleted when it has finalizers.
	 * @param namespace the namespace
	 * @param name the name
	 * @param options may hold preconditions
	 * @return the answer to the client: the object while it is still there, else a status
	 */
	public ObjectNode delete(String namespace, String name, ObjectNode options) {
		ObjectNode[] answer = new ObjectNode[1];
		ObjectRevision left = this.store.write(this.type, ObjectRevision.key(namespace, name), (before) -> {
			if (before == null) {
				throw ApiFailure.notFound(this.type, name);
			}
			ObjectNode metadata = Json.child(before, "metadata");
			checkPreconditions(name, options.path("preconditions"), metadata);
			answer[0] = ApiFailure.success(this.type, name, Json.text(metadata, "uid"));
			if (metadata.path("finalizers").isEmpty()) {
				return null;
			}
			if (!metadata.has("deletionTimestamp")) {
				metadata.put("deletionTimestamp", now()).put("deletionGracePeriodSeconds", 0);
				metadata.put("generation", metadata.path("generation").longValue(0) + 1);
			}
			return before;
		});
		return (left != null) ? left.tree() : answer[0];
	}

	private void checkPreconditions(String name, JsonNode asked, JsonNode actual) {
		String uid = Json.text(asked, "uid");
		if (!uid.isEmpty() && !uid.equals(Json.text(actual, "uid"))) {
			throw ApiFailure.precondition(this.type, name,
					"the UID in the precondition (" + uid + ") does not match the UID in record ("
							+ Json.text(actual, "uid") + "). The object might have been deleted and then recreated");
		}
		String version = Json.text(asked, "resourceVersion");
		if (!version.isEmpty() && !version.equals(Json.text(actual, "resourceVersion"))) {
			throw ApiFailure.precondition(this.type, name,
					"the ResourceVersion in the precondition (" + version
							+ ") does not match the ResourceVersion in record (" + Json.text(actual, "resourceVersion")
							+ "). The object might have been modified");
		}
	}

	private void checkUnchanged(String name, JsonNode asked, JsonNode actual) {
		String version = Json.text(asked, "resourceVersion");
		if (!version.isEmpty() && !version.equals(Json.text(actual, "resourceVersion"))) {
			throw ApiFailure.conflict(this.type, name, MODIFIED_MEANWHILE);
		}
		String uid = Json.text(asked, "uid");
		if (!uid.isEmpty() && !uid.equals(Json.text(actual, "uid"))) {
			throw ApiFailure.conflict(this.type, name, "Precondition failed: UID in precondition: " + uid
					+ ", UID in object meta: " + Json.text(actual, "uid"));
		}
	}

	private void checkType(ObjectNode content) {
		if (this.type.builtIn()) {
			// built-in types are read with those of the URL as defaults
			for (String field : List.of("apiVersion", "kind")) {
				if (Json.text(content, field).isEmpty()) {
					content.put(field, field.equals("kind") ? this.type.kind() : this.type.apiVersion());
				}
			}
		}
		if (!this.type.apiVersion().equals(Json.text(content, "apiVersion"))) {
			throw ApiFailure.badRequest("the API version in the data (" + Json.text(content, "apiVersion")
					+ ") does not match the expected API version (" + this.type.apiVersion() + ")");
		}
		if (!this.type.kind().equals(Json.text(content, "kind"))) {
			String kind = Json.text(content, "kind");
			throw ApiFailure.invalid(this.type, kind, Json.text(content.path("metadata"), "name"), "kind",
					"Invalid value: \"" + kind + "\": must be " + this.type.kind());
		}
	}

	private void checkName(String name) {
		if (name.isEmpty()) {
			throw ApiFailure.invalid(this.type, this.type.kind(), name, "metadata.name",
					"Required value: name or generateName is required");
		}
		if (!NAME.matcher(name).matches() || name.length() > 253) {
			throw ApiFailure.invalid(this.type, this.type.kind(), name, "metadata.name", "Invalid value: \"" + name
					+ "\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
					+ "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for "
					+ "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
		}
	}

	private static void checkNamespace(ObjectNode metadata, String namespace) {
		if (namespace.isEmpty()) {
			// what is not in a namespace does not get into one by saying so
			metadata.remove("namespace");
			return;
		}
		String given = Json.text(metadata, "namespace");
		if (!given.isEmpty() && !given.equals(namespace)) {
			throw ApiFailure.badRequest(
					"the namespace of the provided object does not match the namespace sent on " + "the request");
		}
		metadata.put("namespace", namespace);
	}

	private static String randomSuffix() {
		StringBuilder suffix = new StringBuilder();
		for (int i = 0; i < 5; i++) {
			suffix.append(SUFFIX_ALPHABET.charAt(ThreadLocalRandom.current().nextInt(SUFFIX_ALPHABET.length())));
		}
		return suffix.toString();
	}

	private static String now() {
		return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
	}

}
