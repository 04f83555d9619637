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
 * read or are gone. With more than {@value #MOST} of them, it remembers that it does not
 * know all. Any thread may use it.
 */
public final class SkippedVersions {

	/** How many objects are remembered. */
	public static final int MOST = 10_000;

	private final Map<ResourceKey, String> versions = new HashMap<>();

	/** Whether there may be others. */
	private boolean incomplete;

	public synchronized void note(SkippedObject object) {
		ResourceKey key = object.key();
		if (key != null && (this.versions.size() < MOST || this.versions.containsKey(key))) {
			this.versions.put(key, object.resourceVersion());
		}
		else if (key != null) {
			this.incomplete = true;
		}
	}

	/** Whether there may be objects that could not be read and are not remembered. */
	public synchronized boolean isIncomplete() {
		return this.incomplete;
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
		if (namespace == null) {
			this.incomplete = !this.versions.keySet().containsAll(skipped);
		}
	}

	/** How many are remembered. */
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
