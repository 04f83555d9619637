package dev.reflector.cache;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.reflector.ResourceKey;

/**
 * Remembers in which versions objects could not be read, as far as there is room: the
 * oldest are forgotten. Any thread may use it.
 */
final class SkippedVersions {

	private static final int MAX = 10_000;

	private final Map<ResourceKey, String> versions = new LinkedHashMap<>();

	synchronized void note(SkippedObject object) {
		if (object.key() == null) {
			return;
		}
		this.versions.remove(object.key());
		this.versions.put(object.key(), object.resourceVersion());
		if (this.versions.size() > MAX) {
			Iterator<ResourceKey> oldest = this.versions.keySet().iterator();
			oldest.next();
			oldest.remove();
		}
	}

	synchronized boolean contains(ResourceKey key, String resourceVersion) {
		return resourceVersion.equals(this.versions.get(key));
	}

}
