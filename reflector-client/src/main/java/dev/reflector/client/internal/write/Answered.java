package dev.reflector.client.internal.write;

import tools.jackson.databind.node.ObjectNode;

/**
 * What the server has answered to a write.
 *
 * @param object the object, or a status
 */
record Answered(ObjectNode object) {

	/** A deletion of which only the second answer came: it is gone. */
	static final Answered GONE = new Answered(AppliedJson.object());

	/** Empty when the answer is no object. */
	String uid() {
		return text("uid");
	}

	/** Empty when the answer is no object. */
	String resourceVersion() {
		return text("resourceVersion");
	}

	private String text(String name) {
		return this.object.path("kind").asString("").equals("Status") ? ""
				: this.object.path("metadata").path(name).asString("");
	}

}
