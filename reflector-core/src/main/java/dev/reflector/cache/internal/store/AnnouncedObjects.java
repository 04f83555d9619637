package dev.reflector.cache.internal.store;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import dev.reflector.ResourceKey;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Objects that an earlier process has announced in a snapshot, and may have delivered as
 * added before it was killed. They are not in the mirror. The server decides about each
 * object: it reports the addition of the object, or a list lacks the object, which shows
 * its deletion. A watch or a list that is older than the announcement decides nothing.
 * <p>
 * The thread that writes the mirror removes objects. Any thread may read.
 *
 * @param <T> the type of the objects
 */
public final class AnnouncedObjects<T> implements KnownObjects<T> {

	private final Map<ResourceKey, T> objects = new ConcurrentHashMap<>();

	/** The versions of the snapshot, for each namespace that is followed on its own. */
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
	 * Whether an object, or its deletion, is certainly older than the announcement of
	 * another object of its name.
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
	 * Adds restored objects.
	 * @param objects the objects
	 * @param cursors the versions of the snapshot, by namespace or under the empty text
	 */
	public void addAll(Map<ResourceKey, T> objects, Map<String, String> cursors) {
		this.cursors = cursors;
		this.objects.putAll(objects);
	}

	/**
	 * Removes an object, if what the server reports now decides about it.
	 * @param key its key
	 * @param told the object of the same name that the server reports, present or deleted
	 * @return the removed object, or {@code null} when none was announced or it stays
	 * announced
	 */
	public @Nullable T remove(ResourceKey key, T told) {
		T announced = get(key);
		return (announced == null || isOlder(told, announced, this.accessor)) ? null : remove(key);
	}

	/**
	 * Removes an object about which the server has decided.
	 * @param key its key
	 * @return the removed object, or {@code null} when none was announced
	 */
	public @Nullable T remove(ResourceKey key) {
		return this.objects.isEmpty() ? null : this.objects.remove(key);
	}

	private String cursor(ResourceKey key) {
		return this.cursors.getOrDefault(key.namespace(), this.cursors.getOrDefault("", ""));
	}

	/** Removes all objects, because the snapshot cannot be used. */
	public void clear() {
		this.objects.clear();
	}

	/**
	 * Returns the objects of a mirror together with these objects.
	 * @param mirror the objects of the mirror
	 * @return all of them, read when they are requested
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
						// otherwise the server was put back to an earlier state
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
