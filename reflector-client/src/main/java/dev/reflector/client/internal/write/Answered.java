package dev.reflector.client.internal.write;

import tools.jackson.databind.node.ObjectNode;

/**
 * The response of the server to a write.
 *
 * @param object the returned object or status
 */
record Answered(ObjectNode object) {

	/**
	 * The result of a deletion that was sent twice: the first response was lost, and the
	 * second response says that the object is gone.
	 */
	static final Answered GONE = new Answered(AppliedJson.object());

	/** Returns the uid, or the empty string if the response is a status. */
	String uid() {
		return text("uid");
	}

	/** Returns the version, or the empty string if the response is a status. */
	String resourceVersion() {
		return text("resourceVersion");
	}

	private String text(String name) {
		return this.object.path("kind").asString("").equals("Status") ? ""
				: this.object.path("metadata").path(name).asString("");
	}

}
