package dev.reflector;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Read-only view of a mirror. Every call reads one consistent snapshot without taking a
 * lock and never blocks the writer; two calls may see two snapshots. Objects are the
 * mirrored instances themselves, not copies: treat them as immutable.
 * <p>
 * Inside a listener the mirror shows the state of the event or something newer, never
 * something older. All methods may be called from any thread, at any time; before the
 * first list has arrived the mirror is empty.
 *
 * <pre class="code">
 * int replicas(Lister&lt;Deployment&gt; deployments, String namespace) {
 *     return deployments.stream(namespace)
 *         .mapToInt((deployment) -&gt; deployment.spec().replicas())
 *         .sum();
 * }
 * </pre>
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public interface Lister<T> {

	/** Name of the index by namespace, which every mirror has. */
	String NAMESPACE_INDEX = "namespace";

	/**
	 * Looks up one object.
	 * @param key the key of the object
	 * @return the object, or {@code null} when the mirror does not hold it
	 */
	@Nullable T get(ResourceKey key);

	/**
	 * Looks up one object.
	 * @param namespace the namespace of the object, {@code null} or empty for a
	 * cluster-scoped object
	 * @param name the name of the object
	 * @return the object, or {@code null} when the mirror does not hold it
	 */
	default @Nullable T get(@Nullable String namespace, String name) {
		return get(ResourceKey.of(namespace, name));
	}

	/**
	 * Looks up one object of a cluster-scoped type.
	 * @param name the name of the object
	 * @return the object, or {@code null} when the mirror does not hold it
	 */
	default @Nullable T get(String name) {
		return get(ResourceKey.of("", name));
	}

	/**
	 * Looks up one object, for callers that prefer an {@code Optional} to {@code null}.
	 * @param key the key of the object
	 * @return the object, empty when the mirror does not hold it
	 */
	default Optional<T> find(ResourceKey key) {
		return Optional.ofNullable(get(key));
	}

	/**
	 * Looks up one object, for callers that prefer an {@code Optional} to {@code null}.
	 * @param namespace the namespace of the object, {@code null} or empty for a
	 * cluster-scoped object
	 * @param name the name of the object
	 * @return the object, empty when the mirror does not hold it
	 */
	default Optional<T> find(@Nullable String namespace, String name) {
		return Optional.ofNullable(get(namespace, name));
	}

	/**
	 * Looks up one object of a cluster-scoped type, for callers that prefer an
	 * {@code Optional} to {@code null}.
	 * @param name the name of the object
	 * @return the object, empty when the mirror does not hold it
	 */
	default Optional<T> find(String name) {
		return Optional.ofNullable(get(name));
	}

	/**
	 * Returns all objects, in no particular order.
	 * @return an unmodifiable snapshot
	 */
	List<T> list();

	/**
	 * Returns the objects of one namespace, in no particular order.
	 * @param namespace the namespace; empty for all objects
	 * @return an unmodifiable snapshot
	 */
	List<T> list(String namespace);

	/**
	 * Streams all objects, in no particular order. This call takes the snapshot: the
	 * stream has exactly the objects that the mirror held at the time of the call, even
	 * if the stream is read later, or slowly while the mirror changes. The call copies no
	 * objects. As long as the stream is in use, all objects of its snapshot stay in
	 * memory, even objects that have been deleted since then. The stream need not be
	 * closed.
	 * @return a sequential stream of one snapshot
	 */
	default Stream<T> stream() {
		return list().stream();
	}

	/**
	 * Streams the objects of one namespace, in no particular order. The snapshot is taken
	 * by this call, as with {@link #stream()}.
	 * @param namespace the namespace; empty for all objects
	 * @return a sequential stream of one snapshot
	 */
	default Stream<T> stream(String namespace) {
		return namespace.isEmpty() ? stream() : list(namespace).stream();
	}

	/**
	 * Returns the objects for which the function of an index has returned a given value,
	 * in no particular order.
	 * @param index name of the index
	 * @param value the value to look up
	 * @return an unmodifiable snapshot, empty if there are no such objects
	 * @throws IllegalArgumentException when there is no index of that name
	 */
	List<T> byIndex(String index, String value);

	/**
	 * Returns the objects that share at least one value of an index with a given object,
	 * each once, in no particular order. The given object need not be in the mirror.
	 * @param index name of the index
	 * @param object the object whose values are looked up. The index function is called
	 * with this object on the caller's thread, and the caller receives its exceptions
	 * @return an unmodifiable snapshot
	 * @throws IllegalArgumentException when there is no index of that name
	 */
	List<T> byIndexOf(String index, T object);

	/**
	 * Returns the values under which an index currently has objects, in no particular
	 * order.
	 * @param index name of the index
	 * @return an unmodifiable snapshot, empty if the index has no objects
	 * @throws IllegalArgumentException when there is no index of that name
	 */
	Set<String> indexValues(String index);

	/**
	 * Returns the number of objects in the mirror.
	 * @return the number
	 */
	int size();

	/**
	 * Whether the mirror contains everything up to a version: {@code true} for the
	 * version of your own write means that the mirror shows that write, or something
	 * newer. With several namespaces, all of them must have reached the version. To check
	 * only the namespace of your write, use {@link #hasReached(String, String)}.
	 * @param resourceVersion the version, as the server returned it
	 * @return whether the mirror has reached the version
	 * @throws IllegalArgumentException when the version is empty
	 */
	default boolean hasReached(String resourceVersion) {
		return hasReached("", resourceVersion);
	}

	/**
	 * Whether the mirror contains everything of a namespace up to a version. Lists,
	 * events and bookmarks advance the mirror's version. If the server is restored from a
	 * backup, the mirror's version decreases with the server's version. Then {@code true}
	 * may become {@code false}.
	 * <p>
	 * Versions that are decimal numbers are compared as numbers of any length. Versions
	 * of another form cannot be ordered. Of such versions, only the last 1000 that the
	 * mirror has passed count as reached.
	 * <p>
	 * A Kafka topic has the records of different objects in any order. A mirror of a
	 * topic may therefore reach a version before it contains all records of earlier
	 * versions.
	 * @param namespace the namespace, empty for all; ignored unless the reflector follows
	 * several namespaces separately
	 * @param resourceVersion the version, as the server returned it
	 * @return whether the mirror has reached the version
	 * @throws IllegalArgumentException when the version is empty, or when several
	 * namespaces are followed and the given one is not among them
	 */
	boolean hasReached(String namespace, String resourceVersion);

	/**
	 * Waits until {@link #hasReached(String)} is true. Must not be called by a listener
	 * or handler of this mirror, because the mirror may then never reach the version.
	 * @param resourceVersion the version
	 * @param timeout how long to wait at most; zero or less does not wait
	 * @return whether the mirror has reached the version
	 * @throws InterruptedException when the thread is interrupted while it waits
	 * @throws IllegalArgumentException when the version is empty
	 */
	default boolean awaitResourceVersion(String resourceVersion, Duration timeout) throws InterruptedException {
		return awaitResourceVersion("", resourceVersion, timeout);
	}

	/**
	 * Waits until {@link #hasReached(String, String)} is true. Must not be called by a
	 * listener or handler of this mirror, because the mirror may then never reach the
	 * version.
	 * @param namespace the namespace, empty for all
	 * @param resourceVersion the version
	 * @param timeout how long to wait at most; zero or less does not wait
	 * @return whether the mirror has reached the version
	 * @throws InterruptedException when the thread is interrupted while it waits
	 * @throws IllegalArgumentException when the version is empty, or when several
	 * namespaces are followed and the given one is not among them
	 */
	boolean awaitResourceVersion(String namespace, String resourceVersion, Duration timeout)
			throws InterruptedException;

	/**
	 * Returns a publisher that completes when {@link #hasReached(String)} becomes true.
	 * This is the non-blocking form of {@link #awaitResourceVersion(String, Duration)}.
	 * @param resourceVersion the version
	 * @return a publisher that completes when the mirror has reached the version in all
	 * namespaces
	 * @throws IllegalArgumentException when the version is empty
	 */
	default Mono<Void> reached(String resourceVersion) {
		return reached("", resourceVersion);
	}

	/**
	 * Returns a publisher that completes when {@link #hasReached(String, String)} becomes
	 * true. Each subscription waits separately and without a limit, so add a
	 * {@code timeout}. Canceling ends the wait. Subscribers are called on a thread of
	 * Reactor's parallel scheduler.
	 * @param namespace the namespace, empty for all
	 * @param resourceVersion the version
	 * @return a publisher that completes when the mirror has reached the version
	 * @throws IllegalArgumentException when the version is empty, or when several
	 * namespaces are followed and the given one is not among them
	 */
	Mono<Void> reached(String namespace, String resourceVersion);

}
