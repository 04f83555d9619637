package dev.reflector;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a local mirror in step with a remote collection: lists it, watches it for later
 * changes, and recovers from failures of the network and the server. The application
 * context starts and stops the reflector. There is one reflector bean for each mirrored
 * type, injectable by generic type.
 * <p>
 * <em>What is promised.</em> Changes of one object are delivered in the order in which
 * the server made them. The mirror is updated before a change is delivered. After a gap
 * in the connection, the reflector resumes at the last seen version. If the server no
 * longer has that version, the reflector lists again and delivers the differences like
 * changes. An object that was deleted and created again during a gap is delivered as a
 * deletion and an addition. <em>What is not promised.</em> Intermediate versions may be
 * skipped during a gap. A recreated object is delivered as an update if it cannot be
 * distinguished from the old one: with {@code reflector.events.detect-recreation=false},
 * in client-go's mode, or if the metadata of the type has no {@code uid}. An object that
 * does not fit the type is skipped: the mirror keeps the last version that did fit, if
 * there was one.
 * <p>
 * All methods may be called from any thread. All but {@link #awaitSynced(Duration)}
 * return at once.
 *
 * <pre class="code">
 * boolean isCurrent(Reflector&lt;Deployment&gt; deployments) {
 *     ReflectorStatus status = deployments.status();
 *     return status.synced() &amp;&amp; status.contact().connected();
 * }
 * </pre>
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public interface Reflector<T> {

	/**
	 * Name of the reflector, unique in the application.
	 * @return the name
	 */
	String name();

	/**
	 * Type of the mirrored objects, with the plural once it is known.
	 * @return the type
	 */
	ResourceType resourceType();

	/**
	 * The namespaces that are mirrored.
	 * @return the namespaces, empty for all
	 */
	List<String> namespaces();

	/**
	 * The label selector of the mirrored objects.
	 * @return the selector, empty for all objects
	 */
	default String labelSelector() {
		return "";
	}

	/**
	 * The field selector of the mirrored objects.
	 * @return the selector, empty for all objects
	 */
	default String fieldSelector() {
		return "";
	}

	/**
	 * Returns what the reflector is doing.
	 * @return the state
	 */
	ReflectorState state();

	/**
	 * The resource version up to which the reflector has followed the collection
	 * (client-go: {@code LastSyncResourceVersion}). With several namespaces, it is the
	 * version of the least advanced namespace.
	 * @return the version, empty before the first list
	 */
	String lastSyncResourceVersion();

	/**
	 * Whether this reflector delivers nothing to its listeners, because another replica
	 * of the application delivers. The mirror still follows the server.
	 * @return whether this reflector is a standby
	 */
	default boolean isStandby() {
		return false;
	}

	/**
	 * Whether the first complete state has been received and stored in the mirror. Never
	 * goes back to {@code false} while the reflector runs. Listeners may not have been
	 * called yet.
	 * @return whether the mirror has been filled
	 */
	boolean hasSynced();

	/**
	 * Waits until {@link #hasSynced()} is true (client-go: {@code WaitForCacheSync}).
	 * Listeners may not have been called yet. While the reflector is stopped, paused,
	 * failing or not yet started, this method keeps waiting, because the reflector may
	 * sync later. Once the reflector is closed for good, this method no longer waits.
	 * <p>
	 * Must not be called by a listener or handler of this reflector, because the
	 * reflector may then never sync. Must not be called by code that blocks the start of
	 * the application either, such as a {@code @PostConstruct} method, because reflectors
	 * start only after such code.
	 * @param timeout how long to wait at most; zero or less does not wait
	 * @return whether the reflector has synced
	 * @throws InterruptedException when the thread is interrupted while it waits
	 */
	default boolean awaitSynced(Duration timeout) throws InterruptedException {
		long patience = TimeUnit.NANOSECONDS.convert(timeout);
		long start = System.nanoTime();
		while (!hasSynced()) {
			if (System.nanoTime() - start >= patience) {
				return false;
			}
			// polls, because this interface, which an application may implement, has no
			// method that signals the sync
			Thread.sleep(10);
		}
		return true;
	}

	/**
	 * Delivers every mirrored object again as an update that changes nothing. Makes no
	 * request to the server.
	 */
	void resync();

	/**
	 * Requests the full state from the server again, at least as new as the mirror, and
	 * delivers the differences. Objects that have the same version in the mirror and on
	 * the server are compared with {@code equals}, because a restored server may assign a
	 * version twice. If their class does not define {@code equals}, each of these objects
	 * is delivered as an update. Ends a back-off in progress. Does not request another
	 * full state while one is being received.
	 */
	void relist();

	/**
	 * Closes the watch and makes no further request until {@link #resume()}. The mirror
	 * keeps its content.
	 */
	void pause();

	/**
	 * Ends a pause: the reflector follows the collection again, and continues from the
	 * last seen version. If {@link ReflectorStatus#deliveryStopped() delivery to a
	 * listener has stopped}, the listener starts over: it receives every object of the
	 * mirror as an addition.
	 */
	void resume();

	/**
	 * Compares the mirror with the server: keys and versions of all objects, at exactly
	 * the version that the mirror has reached, separately for each namespace if several
	 * are declared. Reads every key of the collection from the server, so use it in tests
	 * or when in doubt, not every minute. Never changes the mirror, and runs on its own
	 * thread; while a comparison is in progress, a further call joins it.
	 * @return completes with the report, never with a failure. If the mirror could not be
	 * compared, the report says why, for example because the server no longer has the
	 * version
	 * @throws UnsupportedOperationException if this reflector does not support it
	 */
	default CompletionStage<ConsistencyReport> verify() {
		throw new UnsupportedOperationException("the reflector '" + name() + "' cannot be verified");
	}

	/**
	 * Returns a consistent report of what the reflector has done and of its current
	 * state.
	 * @return the report
	 */
	ReflectorStatus status();

	/**
	 * Returns some of the objects that {@link ReflectorStatus#skipped()} counts, with as
	 * many different reasons as possible.
	 * @return at most twenty objects, in no particular order
	 */
	default List<ReflectorStatus.Skipped> skippedObjects() {
		return List.of();
	}

	/**
	 * Returns the share of the collection that this replica mirrors, if several replicas
	 * divide the collection.
	 * @return the share, or {@code null} if this replica mirrors the whole collection
	 */
	default ReflectorStatus.@Nullable Shard shard() {
		return null;
	}

	/**
	 * Returns the state of the snapshot of a durable mirror.
	 * @return the state of the snapshot, or {@code null} if the mirror has none
	 */
	default ReflectorStatus.@Nullable Durability durability() {
		return null;
	}

}
