package dev.reflector;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a local mirror in step with a remote collection: lists it, watches it from there,
 * and recovers from failures of the network and the server. The application context
 * starts and stops it; there is one bean for each mirrored type, injectable by generic
 * type.
 * <p>
 * <em>What is promised.</em> Changes of one object are delivered in the order in which
 * the server made them. The mirror is updated before a change is delivered. A gap in the
 * connection is closed by resuming at the last seen version or, where the server has
 * forgotten it, by a new list whose differences are delivered like changes. An object
 * that was deleted and created again during a gap is delivered as a deletion and an
 * addition. <em>What is not promised.</em> Intermediate versions may be skipped over a
 * gap. A recreated object is delivered as an update where it cannot be distinguished from
 * the old one: with {@code reflector.events.detect-recreation=false}, in client-go's
 * mode, or if the metadata of the type has no {@code uid}. An object that does not fit
 * the type is skipped: the mirror keeps the last version that fitted, if there was one.
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
	 * What the reflector is doing.
	 * @return the state
	 */
	ReflectorState state();

	/**
	 * The resource version up to which the reflector has followed the collection
	 * (client-go: {@code LastSyncResourceVersion}). With several namespaces it is the
	 * least advanced one.
	 * @return the version, empty before the first list
	 */
	String lastSyncResourceVersion();

	/**
	 * Whether this reflector delivers nothing to its listeners, because another replica
	 * of the application delivers. The mirror still follows the server.
	 * @return whether it is a standby
	 */
	default boolean isStandby() {
		return false;
	}

	/**
	 * Whether the first complete state has been received and stored in the mirror. Never
	 * goes back to {@code false} while the reflector runs. Says nothing about listeners.
	 * @return whether the mirror has been filled
	 */
	boolean hasSynced();

	/**
	 * Waits until {@link #hasSynced()} is true (client-go: {@code WaitForCacheSync}).
	 * Says nothing about listeners, either. While the reflector is not started, stopped,
	 * paused or failing, it keeps waiting: the reflector may sync later. Once it is
	 * closed for good, it no longer waits.
	 * <p>
	 * Must not be called by a listener or handler of this reflector, which may block what
	 * it waits for, nor by code that blocks the start of the application, such as a
	 * {@code @PostConstruct} method: reflectors start after it.
	 * @param timeout how long to wait at most; zero or less does not wait
	 * @return whether it has synced
	 * @throws InterruptedException when the thread is interrupted while it waits
	 */
	default boolean awaitSynced(Duration timeout) throws InterruptedException {
		long patience = TimeUnit.NANOSECONDS.convert(timeout);
		long start = System.nanoTime();
		while (!hasSynced()) {
			if (System.nanoTime() - start >= patience) {
				return false;
			}
			// polls, because an application may implement this interface, which has no
			// signal
			Thread.sleep(10);
		}
		return true;
	}

	/**
	 * Delivers every mirrored object again as an update that changes nothing. Local:
	 * never talks to the server.
	 */
	void resync();

	/**
	 * Gets the full state from the server again, at least as new as the mirror is, and
	 * delivers the differences. Objects of the same version are compared with
	 * {@code equals}, because a restored server gives out versions a second time. If
	 * their class does not define {@code equals}, each object is delivered as an update.
	 * A back-off in progress ends. If a full state is being received already, no other is
	 * requested.
	 */
	void relist();

	/**
	 * Closes the watch and makes no further request until {@link #resume()}. The mirror
	 * keeps its content.
	 */
	void pause();

	/**
	 * Ends a pause: follows the collection from the last seen version on. A listener to
	 * which {@link ReflectorStatus#deliveryStopped() delivery has stopped} starts over
	 * with what the mirror holds.
	 */
	void resume();

	/**
	 * Compares the mirror with the server: keys and versions of all objects, at exactly
	 * the version that the mirror has reached, separately for each namespace if several
	 * are declared. Reads every key of the collection from the server, so use it in tests
	 * or when in doubt, not every minute. Never changes the mirror, and runs on its own
	 * thread; while a comparison is in progress, a further call joins it.
	 * @return completes with the report, never with a failure: the report also says why
	 * the two could not be compared, such as a version that the server has forgotten
	 * @throws UnsupportedOperationException when this kind of reflector cannot do it
	 */
	default CompletionStage<ConsistencyReport> verify() {
		throw new UnsupportedOperationException("the reflector '" + name() + "' cannot be verified");
	}

	/**
	 * A consistent report of what the reflector has done and where it stands.
	 * @return the report
	 */
	ReflectorStatus status();

	/**
	 * Some of the objects that {@link ReflectorStatus#skipped()} counts, with as many
	 * different reasons as there are.
	 * @return twenty objects at most, in no certain order
	 */
	default List<ReflectorStatus.Skipped> skippedObjects() {
		return List.of();
	}

	/**
	 * The share of the collection that is mirrored, when several replicas divide it.
	 * @return the share, {@code null} when it is the whole collection
	 */
	default ReflectorStatus.@Nullable Shard shard() {
		return null;
	}

	/**
	 * The state of the snapshot of a durable mirror.
	 * @return the state of the snapshot, {@code null} when the mirror has none
	 */
	default ReflectorStatus.@Nullable Durability durability() {
		return null;
	}

}
