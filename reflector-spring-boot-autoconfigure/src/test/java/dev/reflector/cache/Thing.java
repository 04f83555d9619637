package dev.reflector.cache;

import dev.reflector.ObjectMeta;

/**
 * An object to mirror in tests.
 */
record Thing(ObjectMeta metadata, String payload) {

	static Thing of(String name, String version) {
		return of("default", name, version, "");
	}

	static Thing of(String namespace, String name, String version, String payload) {
		ObjectMeta plain = ObjectMeta.of(namespace, name);
		return new Thing(new ObjectMeta(plain.name(), plain.namespace(), null, version, 0, plain.labels(),
				plain.annotations(), null, null, plain.finalizers(), plain.ownerReferences()), payload);
	}

	Thing withUid(String uid) {
		ObjectMeta plain = this.metadata;
		return new Thing(new ObjectMeta(plain.name(), plain.namespace(), uid, plain.resourceVersion(), 0,
				plain.labels(), plain.annotations(), null, null, plain.finalizers(), plain.ownerReferences()),
				this.payload);
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
