package dev.reflector.cache.internal.store;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import dev.reflector.ResourceKey;
import dev.reflector.cache.source.SkippedObject;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which objects could not be read, and in which versions, until they can be
 * read or are gone. There is no bound: one that was forgotten would be taken for deleted.
 * Any thread may use it.
 */
public final class SkippedVersions {

	private final Map<ResourceKey, String> versions = new HashMap<>();

	public synchronized void note(SkippedObject object) {
		if (object.key() != null) {
			this.versions.put(object.key(), object.resourceVersion());
		}
	}

	/**
	 * Forgets an object that was read, or that is gone.
	 * @param key gives its key, asked for only when something is remembered
	 */
	public synchronized void forget(Supplier<ResourceKey> key) {
		if (!this.versions.isEmpty()) {
			this.versions.remove(key.get());
		}
	}

	/**
	 * Forgets the objects that a complete list does not have, or has in a readable form.
	 * @param namespace namespace of the list, {@code null} for all
	 * @param skipped the objects of the list that could not be read
	 */
	public synchronized void listed(@Nullable String namespace, Set<ResourceKey> skipped) {
		this.versions.keySet()
			.removeIf((key) -> (namespace == null || namespace.equals(key.namespace())) && !skipped.contains(key));
	}

	public synchronized int size() {
		return this.versions.size();
	}

	/** Whether the server has the object in a version that could not be read. */
	public synchronized boolean contains(ResourceKey key) {
		return this.versions.containsKey(key);
	}

	public synchronized boolean contains(ResourceKey key, String resourceVersion) {
		return resourceVersion.equals(this.versions.get(key));
	}

}
