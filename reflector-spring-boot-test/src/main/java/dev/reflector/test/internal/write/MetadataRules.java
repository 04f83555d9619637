package dev.reflector.test.internal.write;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

import dev.reflector.cache.source.Status;
import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.ServedType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks the names and the metadata of the objects of a type, and removes metadata that a
 * client must not set.
 *
 * @param type the type
 */
record MetadataRules(ServedType type) {

	/** The most permissive rule for names: names of roles may have colons. */
	private static final Pattern LOOSE_NAME = Pattern.compile("[a-z0-9]([a-z0-9.:-]*[a-z0-9])?");

	private static final String SUFFIX_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

	private static final String MODIFIED_MEANWHILE = "the object has been modified; please apply your changes to the "
			+ "latest version and try again";

	private static final int LARGEST_OBJECT = 3 * 512 * 1024;

	private static final List<String> DROPPED_WHEN_EMPTY = List.of("labels", "annotations", "finalizers",
			"ownerReferences");

	static String now() {
		return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
	}

	void checkType(ObjectNode content) {
		if (this.type.builtIn()) {
			// for built-in types, missing values are taken from the URL
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

	/**
	 * Checks that an applied object has the API version and kind of this type, and no
	 * managed fields.
	 */
	void checkAppliedType(ObjectNode applied) {
		String apiVersion = Json.text(applied, "apiVersion");
		String kind = Json.text(applied, "kind");
		if (!this.type.apiVersion().equals(apiVersion) || !this.type.kind().equals(kind)) {
			throw ApiFailure
				.badRequest("invalid object type: " + (apiVersion.isEmpty() ? "/" : apiVersion) + ", Kind=" + kind);
		}
		if (applied.path("metadata").has("managedFields")) {
			throw ApiFailure.badRequest("metadata.managedFields must be nil");
		}
	}

	/**
	 * Checks the name of an object that is created.
	 * @param name the name
	 * @param exactly {@code true} to check as exactly as a real server, {@code false} to
	 * check only by the most permissive rule
	 */
	void checkName(String name, boolean exactly) {
		if (name.isEmpty()) {
			throw ApiFailure.invalid(this.type, this.type.kind(), name, "metadata.name",
					"Required value: name or generateName is required");
		}
		if ((!exactly || this.type.builtIn()) && LOOSE_NAME.matcher(name).matches() && name.length() <= 253) {
			return;
		}
		List<Status.Cause> causes = MetadataChecks.name(name)
			.stream()
			.map((problem) -> new Status.Cause("FieldValueInvalid", "Invalid value: \"" + name + "\": " + problem,
					"metadata.name"))
			.toList();
		if (!causes.isEmpty()) {
			throw ApiFailure.invalid(this.type, name, causes);
		}
	}

	/** Checks the metadata that a client has written. */
	void checkMetadata(String name, JsonNode metadata, boolean creates) {
		List<Status.Cause> causes = creates ? MetadataChecks.created(metadata) : MetadataChecks.changed(metadata);
		if (!causes.isEmpty()) {
			throw ApiFailure.invalid(this.type, name, causes);
		}
	}

	void checkSameName(ObjectNode metadata, String name, String ifMissing) {
		String given = metadata.path("name").stringValue(ifMissing);
		if (given.isEmpty()) {
			throw ApiFailure.badRequest(
					"the name of the object (" + name + " based on URL) was undeterminable: name must be provided");
		}
		if (!name.equals(given)) {
			throw ApiFailure
				.badRequest("the name of the object (" + given + ") does not match the name on the URL (" + name + ")");
		}
		metadata.put("name", name);
	}

	static void checkNamespace(ObjectNode metadata, String namespace) {
		if (namespace.isEmpty()) {
			// the namespace of a cluster-scoped object is ignored
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

	/**
	 * Checks that the UID in the body of a replacement, if there is one, is the UID of
	 * the object. Fails like a real server, where the UID is a precondition that the
	 * storage checks.
	 */
	void checkPrecondition(String key, String name, JsonNode asked, JsonNode actual) {
		String uid = Json.text(asked, "uid");
		if (!uid.isEmpty() && !uid.equals(Json.text(actual, "uid"))) {
			String group = this.type.builtIn() ? "" : this.type.group() + "/";
			throw ApiFailure.conflict(this.type, name,
					"StorageError: invalid object, Code: 4, Key: /registry/" + group + this.type.plural() + "/" + key
							+ ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: "
							+ uid + ", UID in object meta: " + Json.text(actual, "uid"));
		}
	}

	/** Checks that an object is small enough for etcd. */
	static ObjectNode requireSmall(ObjectNode object) {
		if (Json.bytes(object).length > LARGEST_OBJECT) {
			throw ApiFailure.unexpected("etcdserver: request is too large");
		}
		return object;
	}

	/** Checks that a replacement of a custom resource has a resource version. */
	void requireVersion(String name, JsonNode asked) {
		if (!this.type.builtIn() && Json.text(asked, "resourceVersion").isEmpty()
				&& name.equals(Json.text(asked, "name"))) {
			throw ApiFailure.invalid(this.type, this.type.plural(), name, "metadata.resourceVersion",
					"Invalid value: 0: must be specified for an update");
		}
	}

	void checkVersion(String name, JsonNode asked, JsonNode actual) {
		String version = Json.text(asked, "resourceVersion");
		if (!version.isEmpty() && !version.equals(Json.text(actual, "resourceVersion"))) {
			throw ApiFailure.conflict(this.type, name, MODIFIED_MEANWHILE);
		}
	}

	/**
	 * Checks that a write does not change metadata that cannot be changed. The failure
	 * contains each cause twice, because a real server checks twice.
	 */
	void checkImmutable(String name, JsonNode asked, JsonNode actual) {
		String uid = Json.text(asked, "uid");
		if (!uid.isEmpty() && !uid.equals(Json.text(actual, "uid"))) {
			Status.Cause cause = new Status.Cause("FieldValueInvalid",
					"Invalid value: \"" + uid + "\": field is immutable", "metadata.uid");
			throw ApiFailure.invalid(this.type, name, List.of(cause, cause));
		}
		if (actual.has("deletionTimestamp")) {
			Set<String> more = new HashSet<>();
			asked.path("finalizers").forEach((finalizer) -> more.add(finalizer.toString()));
			actual.path("finalizers").forEach((finalizer) -> more.remove(finalizer.toString()));
			if (!more.isEmpty()) {
				Status.Cause cause = new Status.Cause("FieldValueForbidden",
						"Forbidden: no new finalizers can be added if the object is being deleted, found new "
								+ "finalizers []string{" + String.join(", ", more.stream().sorted().toList()) + "}",
						"metadata.finalizers");
				throw ApiFailure.invalid(this.type, name, List.of(cause, cause));
			}
		}
	}

	void generateName(ObjectNode metadata) {
		String prefix = Json.text(metadata, "generateName");
		if (Json.text(metadata, "name").isEmpty() && !prefix.isEmpty()) {
			metadata.put("name", prefix + randomSuffix());
		}
	}

	private static String randomSuffix() {
		StringBuilder suffix = new StringBuilder();
		for (int i = 0; i < 5; i++) {
			suffix.append(SUFFIX_ALPHABET.charAt(ThreadLocalRandom.current().nextInt(SUFFIX_ALPHABET.length())));
		}
		return suffix.toString();
	}

	/** Removes the metadata that a client cannot set when it creates an object. */
	static void wipe(ObjectNode metadata) {
		metadata.remove(List.of("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"));
	}

	static void fill(ObjectNode metadata, boolean generations) {
		metadata.put("uid", UUID.randomUUID().toString());
		metadata.put("creationTimestamp", now());
		if (generations) {
			metadata.put("generation", 1);
		}
		else {
			metadata.remove("generation");
		}
	}

	static void keep(ObjectNode metadata, JsonNode old) {
		for (String kept : List.of("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
				"generation", "resourceVersion")) {
			if (old.has(kept)) {
				metadata.set(kept, old.get(kept));
			}
			else {
				metadata.remove(kept);
			}
		}
	}

	/** Removes empty maps and lists of the metadata, as real servers do. */
	static void dropEmpty(ObjectNode metadata) {
		for (String name : DROPPED_WHEN_EMPTY) {
			if (metadata.has(name) && metadata.path(name).isEmpty()) {
				metadata.remove(name);
			}
		}
	}

	static boolean isDoomed(ObjectNode object) {
		JsonNode metadata = object.path("metadata");
		return metadata.has("deletionTimestamp") && metadata.path("finalizers").isEmpty();
	}

}
