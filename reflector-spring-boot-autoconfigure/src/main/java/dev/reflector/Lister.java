package dev.reflector;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Read-only view of a mirror. Every call reads one consistent snapshot without taking a
 * lock and never blocks the writer; two calls may see two snapshots. Objects are the
 * mirrored instances themselves, not copies: treat them as immutable.
 * <p>
 * Inside a listener the mirror shows the state of the event or something newer, never
 * something older. All methods may be called from any thread, at any time; before the
 * first list has arrived the mirror is empty.
 *
 * @param <T> the type of the objects
 */
public interface Lister<T> {

	/** Name of the index by namespace, which every mirror has. */
	String NAMESPACE_INDEX = "namespace";

	/**
	 * Looks up one object.
	 * @param key its key
	 * @return the object, or {@code null} when the mirror does not hold it
	 */
	@Nullable T get(ResourceKey key);

	/**
	 * Looks up one object.
	 * @param namespace its namespace, {@code null} or empty for a cluster-scoped object
	 * @param name its name
	 * @return the object, or {@code null} when the mirror does not hold it
	 */
	default @Nullable T get(@Nullable String namespace, String name) {
		return get(ResourceKey.of(namespace, name));
	}

	/**
	 * All objects, in no particular order.
	 * @return an unmodifiable snapshot
	 */
	List<T> list();

	/**
	 * The objects of one namespace, in no particular order.
	 * @param namespace the namespace; empty for all objects
	 * @return an unmodifiable snapshot
	 */
	List<T> list(String namespace);

	/**
	 * The objects that an index function has filed under a value, in no particular order.
	 * @param index name of the index
	 * @param value the value
	 * @return an unmodifiable snapshot, empty when nothing is filed under the value
	 * @throws IllegalArgumentException when there is no index of that name
	 */
	List<T> byIndex(String index, String value);

	/**
	 * Number of objects in the mirror.
	 * @return the number
	 */
	int size();

}
