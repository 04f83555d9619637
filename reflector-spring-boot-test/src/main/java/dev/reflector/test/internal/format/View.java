package dev.reflector.test.internal.format;

import dev.reflector.test.internal.api.Json;
import tools.jackson.databind.node.ObjectNode;

/**
 * The parts of an object that are shown.
 */
public enum View {

	/** The whole object. */
	WHOLE {

		@Override
		ObjectNode of(ObjectNode object, String version) {
			return object;
		}

	},

	/** The object without kind and API version, as in lists of built-in types (W-15). */
	ITEM {

		@Override
		ObjectNode of(ObjectNode object, String version) {
			object.remove("apiVersion");
			object.remove("kind");
			return object;
		}

	},

	/** Only the metadata (W-59). */
	METADATA {

		@Override
		ObjectNode of(ObjectNode object, String version) {
			ObjectNode partial = Json.object().put("kind", NAME).put("apiVersion", GROUP + "/" + version);
			partial.set("metadata", object.path("metadata"));
			return partial;
		}

	},

	/** Only the metadata of each object of a list (W-59). */
	METADATA_LIST {

		@Override
		ObjectNode of(ObjectNode object, String version) {
			return METADATA.of(object, version);
		}

	};

	public static final String GROUP = "meta.k8s.io";

	public static final String NAME = "PartialObjectMetadata";

	/**
	 * Returns the shown part of an object.
	 * @param object the object, which this method may change
	 * @param version for views of metadata, the API version within {@link #GROUP} that
	 * the client has requested
	 * @return the part to show
	 */
	abstract ObjectNode of(ObjectNode object, String version);

}
