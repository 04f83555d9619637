package dev.reflector.cache.internal.store;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import dev.reflector.ResourceKey;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Objects that an earlier process has announced in a snapshot and may have delivered as
 * added before that process was killed. The objects are not in the mirror. Later, the
 * server shows whether each object still exists: it reports the addition, or a list
 * without the object shows the deletion. Events and lists that are older than the
 * announcement are ignored.
 * <p>
 * Only the thread that writes the mirror removes objects. Any thread may read.
 *
 * @param <T> the type of the objects
 */
public final class AnnouncedObjects<T> implements KnownObjects<T> {

	private final Map<ResourceKey, T> objects = new ConcurrentHashMap<>();

	/**
	 * The version of the snapshot for each namespace. If all namespaces are followed
	 * together, the only key is the empty string.
	 */
	private volatile Map<String, String> cursors = Map.of();

	private final ResourceAccessor<T> accessor;

	/**
	 * Creates an empty set.
	 * @param accessor reads metadata
	 */
	public AnnouncedObjects(ResourceAccessor<T> accessor) {
		this.accessor = accessor;
	}

	/**
	 * Whether an object, or the deletion of this object, is certainly older than the
	 * announcement of another object with the same name.
	 * @param <T> the type of the objects
	 * @param object the object
	 * @param announced the announced object
	 * @param accessor reads metadata
	 */
	public static <T> boolean isOlder(T object, T announced, ResourceAccessor<T> accessor) {
		String uid = accessor.uid(object);
		return (uid.isEmpty() || !uid.equals(accessor.uid(announced)))
				&& ResourceVersions.isGreater(accessor.resourceVersion(announced), accessor.resourceVersion(object));
	}

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

	/**
	 * Adds objects that were restored from the snapshot.
	 * @param objects the objects
	 * @param cursors the version of the snapshot for each namespace. If all namespaces
	 * are followed together, the only key is the empty string
	 */
	public void addAll(Map<ResourceKey, T> objects, Map<String, String> cursors) {
		this.cursors = cursors;
		this.objects.putAll(objects);
	}

	/**
	 * Removes an announced object, unless the server's report is older than the
	 * announcement.
	 * @param key the key of the object
	 * @param told the object with this key that the server reports as present or deleted
	 * @return the removed object, or {@code null} if none was removed
	 */
	public @Nullable T remove(ResourceKey key, T told) {
		T announced = get(key);
		return (announced == null || isOlder(told, announced, this.accessor)) ? null : remove(key);
	}

	/**
	 * Removes an announced object, because the server has shown whether it still exists.
	 * @param key the key of the object
	 * @return the removed object, or {@code null} if there is none
	 */
	public @Nullable T remove(ResourceKey key) {
		return this.objects.isEmpty() ? null : this.objects.remove(key);
	}

	private String cursor(ResourceKey key) {
		return this.cursors.getOrDefault(key.namespace(), this.cursors.getOrDefault("", ""));
	}

	/** Removes all objects. */
	public void clear() {
		this.objects.clear();
	}

	/**
	 * Returns a view of the objects of a mirror and the announced objects together.
	 * @param mirror the objects of the mirror
	 * @return the view
	 */
	public KnownObjects<T> with(KnownObjects<T> mirror) {
		return new KnownObjects<>() {

			@Override
			public @Nullable T get(ResourceKey key) {
				T object = mirror.get(key);
				return (object != null) ? object : AnnouncedObjects.this.get(key);
			}

			@Override
			public boolean contains(ResourceKey key) {
				return mirror.contains(key) || AnnouncedObjects.this.get(key) != null;
			}

			@Override
			public void forEachUnknown(String resourceVersion, Consumer<ResourceKey> action) {
				mirror.forEachUnknown(resourceVersion, action);
			}

			@Override
			public boolean isNewerThan(String resourceVersion, ResourceKey key) {
				T announced = (mirror.get(key) == null) ? AnnouncedObjects.this.get(key) : null;
				return announced != null
						// a list that is older than the snapshot shows that the server
						// was set back, so objects that the list lacks count as deleted
						&& !ResourceVersions.isGreater(cursor(key), resourceVersion) && ResourceVersions
							.isGreater(AnnouncedObjects.this.accessor.resourceVersion(announced), resourceVersion);
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
