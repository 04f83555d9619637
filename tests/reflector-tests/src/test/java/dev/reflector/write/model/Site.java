package dev.reflector.write.model;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectedResource;

/**
 * The mirrored fields of a website.
 */
@ReflectedResource(apiVersion = "example.com/v1", kind = "Website")
record Site(ObjectMeta metadata) {

	String uid() {
		return String.valueOf(this.metadata.uid());
	}

	long version() {
		return Long.parseLong(String.valueOf(this.metadata.resourceVersion()));
	}

	@Override
	public String toString() {
		return this.metadata.name() + " " + uid() + " @ " + version();
	}

}
