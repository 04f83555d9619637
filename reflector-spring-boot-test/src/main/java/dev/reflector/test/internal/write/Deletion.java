package dev.reflector.test.internal.write;

import java.util.ArrayList;
import java.util.List;

import dev.reflector.cache.source.Status;
import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.Parameters;
import dev.reflector.test.internal.api.ServedType;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The options of a deletion.
 *
 * @param preconditions conditions that the object must meet
 * @param policy what to do with the objects that the object owns
 * @param dryRun whether the deletion is only checked, without an effect
 */
public record Deletion(JsonNode preconditions, Policy policy, boolean dryRun) {

	private static final String KIND = "DeleteOptions";

	/** The finalizer that keeps an object until the objects that it owns are deleted. */
	static final String FOREGROUND = "foregroundDeletion";

	/**
	 * The finalizer that keeps an object until the objects that it owns no longer name it
	 * as owner.
	 */
	static final String ORPHAN = "orphan";

	/** The options that apply if the client sends none. */
	public static final Deletion DEFAULT = new Deletion(Json.object(), Policy.DEFAULT, false);

	/**
	 * Reads the options of a request.
	 * @param body the body, empty if there is none
	 * @param parameters the query parameters, used if there is no body
	 * @return the options
	 * @throws ApiFailure if the options are not valid
	 */
	public static Deletion of(ObjectNode body, Parameters parameters) {
		ObjectNode options = body.isEmpty() ? Json.object() : body;
		if (body.isEmpty()) {
			parameters.values().forEach(options::put);
			if (parameters.has("dryRun")) {
				options.putArray("dryRun").add(parameters.text("dryRun"));
			}
		}
		List<Status.Cause> causes = new ArrayList<>();
		String asked = Json.text(options, "propagationPolicy");
		JsonNode orphan = options.path("orphanDependents");
		if (!asked.isEmpty() && !orphan.isMissingNode()) {
			causes.add(new Status.Cause("FieldValueInvalid",
					"Invalid value: \"" + asked + "\": orphanDependents and deletionPropagation cannot be both set",
					"propagationPolicy"));
		}
		Policy policy = Policy.of(asked, orphan);
		if (policy == null) {
			causes.add(new Status.Cause("FieldValueNotSupported",
					"Unsupported value: \"" + asked
							+ "\": supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\"",
					"propagationPolicy"));
		}
		String dryRun = options.path("dryRun").path(0).stringValue("");
		WriteOptions.checkDryRun(dryRun, causes);
		if (policy == null || !causes.isEmpty()) {
			throw ApiFailure.invalidOptions(KIND, causes);
		}
		return new Deletion(options.path("preconditions"), policy, !dryRun.isEmpty());
	}

	void check(ServedType type, String name, JsonNode metadata) {
		String uid = Json.text(this.preconditions, "uid");
		if (!uid.isEmpty() && !uid.equals(Json.text(metadata, "uid"))) {
			throw ApiFailure.precondition(type, name,
					"the UID in the precondition (" + uid + ") does not match the UID in record ("
							+ Json.text(metadata, "uid") + "). The object might have been deleted and then recreated");
		}
		String version = Json.text(this.preconditions, "resourceVersion");
		if (!version.isEmpty() && !version.equals(Json.text(metadata, "resourceVersion"))) {
			throw ApiFailure.precondition(type, name,
					"the ResourceVersion in the precondition (" + version
							+ ") does not match the ResourceVersion in record ("
							+ Json.text(metadata, "resourceVersion") + "). The object might have been modified");
		}
	}

	/**
	 * Adds the finalizer of this policy to an object, and removes finalizers of other
	 * policies.
	 * @param metadata the metadata of the object, which is changed
	 */
	void setFinalizer(ObjectNode metadata) {
		@Nullable String wanted = switch (this.policy) {
			case FOREGROUND -> FOREGROUND;
			case ORPHAN -> ORPHAN;
			case BACKGROUND -> "";
			case DEFAULT -> null;
		};
		if (wanted == null) {
			return;
		}
		ArrayNode finalizers = Json.MAPPER.createArrayNode();
		for (JsonNode finalizer : metadata.path("finalizers")) {
			if (!FOREGROUND.equals(finalizer.stringValue("")) && !ORPHAN.equals(finalizer.stringValue(""))) {
				finalizers.add(finalizer);
			}
		}
		if (!wanted.isEmpty()) {
			finalizers.add(wanted);
		}
		if (finalizers.isEmpty()) {
			metadata.remove("finalizers");
		}
		else {
			metadata.set("finalizers", finalizers);
		}
	}

	/**
	 * What to do with the objects that an object owns.
	 */
	public enum Policy {

		/**
		 * The finalizers of the object decide. Without them, owned objects are deleted
		 * after the object.
		 */
		DEFAULT,

		/** Owned objects are deleted after the object. */
		BACKGROUND,

		/** Owned objects are deleted before the object. */
		FOREGROUND,

		/**
		 * Owned objects are kept, and the reference to this owner is removed from them.
		 */
		ORPHAN;

		private static @Nullable Policy of(String asked, JsonNode orphanDependents) {
			if (asked.isEmpty() && !orphanDependents.isMissingNode()) {
				boolean orphan = orphanDependents.asBoolean(false);
				return orphan ? ORPHAN : BACKGROUND;
			}
			return switch (asked) {
				case "" -> DEFAULT;
				case "Background" -> BACKGROUND;
				case "Foreground" -> FOREGROUND;
				case "Orphan" -> ORPHAN;
				default -> null;
			};
		}

	}

}
