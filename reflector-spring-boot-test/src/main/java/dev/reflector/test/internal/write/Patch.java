package dev.reflector.test.internal.write;

import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.ServedType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The kinds of patches.
 */
public enum Patch {

	/** JSON patch, RFC 6902. */
	JSON("application/json-patch+json") {

		@Override
		public ObjectNode apply(ObjectNode target, JsonNode patch) {
			return JsonPatch.apply(target, patch);
		}

	},

	/** JSON merge patch, RFC 7386. */
	MERGE("application/merge-patch+json") {

		@Override
		public ObjectNode apply(ObjectNode target, JsonNode patch) {
			Json.asObject(patch).forEachEntry((name, value) -> {
				if (value.isNull()) {
					target.remove(name);
				}
				else if (value instanceof ObjectNode change) {
					JsonNode old = target.get(name);
					target.set(name, apply((old instanceof ObjectNode object) ? object : Json.object(), change));
				}
				else {
					target.set(name, value);
				}
			});
			return target;
		}

	},

	/** Strategic merge patch, which {@code kubectl apply} uses for built-in types. */
	STRATEGIC_MERGE("application/strategic-merge-patch+json") {

		@Override
		public ObjectNode apply(ObjectNode target, JsonNode patch) {
			return StrategicMerge.merge(target, Json.asObject(patch));
		}

	};

	/** The content type of server-side apply, which has no constant in this enum. */
	private static final String APPLY = "application/apply-patch+yaml";

	private static final String ACCEPTED = JSON.mediaType + ", " + MERGE.mediaType;

	private final String mediaType;

	Patch(String mediaType) {
		this.mediaType = mediaType;
	}

	public static Patch of(ServedType type, String contentType) {
		String asked = mediaType(contentType);
		for (Patch patch : values()) {
			if (patch.mediaType.equals(asked) && (patch != STRATEGIC_MERGE || type.builtIn())) {
				return patch;
			}
		}
		throw ApiFailure.unsupportedMediaType(
				(type.builtIn() ? ACCEPTED + ", " + STRATEGIC_MERGE.mediaType : ACCEPTED) + ", " + APPLY);
	}

	/**
	 * Whether a request is an apply.
	 * @param contentType content type of the request
	 * @return whether the request is an apply
	 */
	public static boolean isApply(String contentType) {
		return APPLY.equals(mediaType(contentType));
	}

	/**
	 * Returns the media type without parameters. Its case is not changed, because real
	 * servers distinguish upper and lower case.
	 */
	private static String mediaType(String contentType) {
		return contentType.split(";", 2)[0].strip();
	}

	/**
	 * Changes an object.
	 * @param target the object, which this method may change
	 * @param patch the patch
	 * @return the changed object
	 */
	public abstract ObjectNode apply(ObjectNode target, JsonNode patch);

}
