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
 * How to delete something.
 *
 * @param preconditions what must be so
 * @param policy what becomes of what it owns
 * @param dryRun whether nothing is to happen
 */
public record Deletion(JsonNode preconditions, Policy policy, boolean dryRun) {

	private static final String KIND = "DeleteOptions";

	/** Holds an object until what it owns is gone. */
	static final String FOREGROUND = "foregroundDeletion";

	/** Holds an object until what it owns is without owner. */
	static final String ORPHAN = "orphan";

	/** As clients delete that say nothing. */
	public static final Deletion DEFAULT = new Deletion(Json.object(), Policy.DEFAULT, false);

	/**
	 * The options of a request.
	 * @param body the body, empty when there is none
	 * @param parameters the query parameters, which count when there is no body
	 * @return the options
	 * @throws ApiFailure when they are not valid
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
	 * Puts the finalizer of the policy on an object, and takes that of another policy
	 * off.
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
	 * What becomes of what an object owns.
	 */
	public enum Policy {

		/** What its finalizers say; else it is deleted after the object. */
		DEFAULT,

		/** It is deleted after the object. */
		BACKGROUND,

		/** It is deleted before the object. */
		FOREGROUND,

		/** It stays, without this owner. */
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
