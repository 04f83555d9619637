package dev.reflector.integration;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

/**
 * The object that the integration tests mirror: five fields of what may be large.
 */
@ReflectedResource(apiVersion = "example.com/v1")
record Widget(ObjectMeta metadata, Spec spec) {

	record Spec(int size, String colour) {

	}

	String name() {
		return this.metadata.name();
	}

	String version() {
		return this.metadata.resourceVersion();
	}

	@Override
	public String toString() {
		return name() + "@" + version();
	}

}
