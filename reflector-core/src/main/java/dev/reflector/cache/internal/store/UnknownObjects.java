package dev.reflector.cache.internal.store;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * Snapshot objects with unreadable content. They are not in the mirror. An object is
 * removed from here when the server has shown whether the object still exists. An object
 * stays here if the state that the server sends cannot be read either.
 * <p>
 * Changed only while the mirror is being written. Any thread may read.
 */
public final class UnknownObjects {

	private final Map<ResourceKey, UnknownObject> objects = new ConcurrentHashMap<>();

	public boolean isEmpty() {
		return this.objects.isEmpty();
	}

	public boolean contains(ResourceKey key) {
		return this.objects.containsKey(key);
	}

	public @Nullable UnknownObject get(ResourceKey key) {
		return this.objects.isEmpty() ? null : this.objects.get(key);
	}

	/** Returns a copy of the keys. */
	public Set<ResourceKey> keys() {
		return Set.copyOf(this.objects.keySet());
	}

	public void forEach(BiConsumer<ResourceKey, UnknownObject> action) {
		this.objects.forEach(action);
	}

	/** Adds unreadable objects of a snapshot. */
	public void addAll(Map<ResourceKey, UnknownObject> objects) {
		this.objects.putAll(objects);
	}

	/**
	 * Adds an object that handlers have received, or may have received, and that is not
	 * in the mirror, although the server may still have it.
	 */
	public void add(ResourceKey key, UnknownObject object) {
		this.objects.put(key, object);
	}

	/**
	 * Removes an object, because the server has shown whether it still exists.
	 * @param key the key of the object
	 * @return the removed object, or {@code null} if there is none
	 */
	public @Nullable UnknownObject remove(ResourceKey key) {
		return this.objects.isEmpty() ? null : this.objects.remove(key);
	}

	/** Removes objects that are no longer mirrored. */
	public void removeIf(BiPredicate<ResourceKey, UnknownObject> removed) {
		this.objects.entrySet().removeIf((entry) -> removed.test(entry.getKey(), entry.getValue()));
	}

	/** Removes all objects. */
	public void clear() {
		this.objects.clear();
	}

}
