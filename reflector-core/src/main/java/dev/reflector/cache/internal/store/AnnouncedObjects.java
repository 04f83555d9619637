package dev.reflector.cache.internal.store;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * Objects that an earlier process has announced in a snapshot, and may have told as added
 * before it was killed. They are not in the mirror. The server decides about each: it
 * tells of its addition, or a list does not have it, which tells of its deletion.
 * <p>
 * The thread that writes the mirror removes objects. Any thread may read.
 *
 * @param <T> the type of the objects
 */
public final class AnnouncedObjects<T> implements KnownObjects<T> {

	private final Map<ResourceKey, T> objects = new ConcurrentHashMap<>();

	@Override
	public @Nullable T get(ResourceKey key) {
		return this.objects.get(key);
	}

	@Override
	public void forEach(BiConsumer<ResourceKey, T> action) {
		this.objects.forEach(action);
	}

	public boolean isEmpty() {
		return this.objects.isEmpty();
	}

	/** Adds what was restored. */
	public void addAll(Map<ResourceKey, T> objects) {
		this.objects.putAll(objects);
	}

	/**
	 * Removes an object, about which the server has decided.
	 * @param key its key
	 * @return the object, or {@code null} when it was not announced
	 */
	public @Nullable T remove(ResourceKey key) {
		return this.objects.isEmpty() ? null : this.objects.remove(key);
	}

	/** Removes all: the snapshot is of no use. */
	public void clear() {
		this.objects.clear();
	}

	/**
	 * The objects of a mirror together with these.
	 * @param mirror the objects of the mirror
	 * @return both, read when they are asked for
	 */
	public KnownObjects<T> with(KnownObjects<T> mirror) {
		return new KnownObjects<>() {

			@Override
			public @Nullable T get(ResourceKey key) {
				T object = mirror.get(key);
				return (object != null) ? object : AnnouncedObjects.this.get(key);
			}

			@Override
			public void forEach(BiConsumer<ResourceKey, T> action) {
				mirror.forEach(action);
				AnnouncedObjects.this.forEach((key, object) -> {
					if (mirror.get(key) == null) {
						action.accept(key, object);
					}
				});
			}

		};
	}

}
