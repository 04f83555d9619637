package dev.reflector.client.internal.write;

import tools.jackson.databind.node.ObjectNode;

/**
 * The response of the server to a write.
 *
 * @param object the returned object, or a status
 */
record Answered(ObjectNode object) {

	/**
	 * A deletion whose first response was lost; the second one says that the object is
	 * gone.
	 */
	static final Answered GONE = new Answered(AppliedJson.object());

	/** Returns the uid, empty when the response is not an object. */
	String uid() {
		return text("uid");
	}

	/** Returns the version, empty when the response is not an object. */
	String resourceVersion() {
		return text("resourceVersion");
	}

	private String text(String name) {
		return this.object.path("kind").asString("").equals("Status") ? ""
				: this.object.path("metadata").path(name).asString("");
	}

}
