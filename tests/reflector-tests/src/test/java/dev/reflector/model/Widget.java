package dev.reflector.model;

import dev.reflector.ObjectMeta;

/**
 * The object that is mirrored. Its size is a number; where the server has a text instead,
 * the object cannot be read.
 */
record Widget(ObjectMeta metadata, Spec spec) {

	String version() {
		return String.valueOf(this.metadata.resourceVersion());
	}

	record Spec(int size) {

	}

}
