package dev.reflector.cache.source;

import dev.reflector.ReflectorStatus;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The source of lists and watches of one collection (client-go: {@code ListerWatcher}).
 * <p>
 * Failures are signalled as errors of the publishers: an {@link ApiException} when the
 * server answered with a failure, anything else when it did not answer properly. A source
 * does not retry: the engine decides when to try again.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public interface ListerWatcher<T> {

	/**
	 * A source whose objects are changed before the engine receives them. An object for
	 * which the function throws becomes a {@link SkippedObject}.
	 * @param <T> the type of the objects
	 * @param source where the objects come from
	 * @param function changes them
	 * @param accessor reads their metadata
	 * @return a source to be used in its place
	 */
	static <T> ListerWatcher<T> transformed(ListerWatcher<T> source, TransformFunction<T> function,
			ResourceAccessor<T> accessor) {
		return new TransformingListerWatcher<>(source, function, accessor);
	}

	/**
	 * Gets one page of the collection. Cold: each subscription is one request.
	 * @param options what to ask for
	 * @return the page
	 */
	Mono<ListPage<T>> list(ListOptions options);

	/**
	 * Gets keys and versions of one page of the collection, when the source has a cheaper
	 * way to do so than {@link #list}. Used to compare a mirror with the server, and to
	 * ask it {@linkplain ListOptions#asksForVersion() whether it has reached a version}.
	 * @param options what to ask for
	 * @return the page; by default it is empty, because there is no such way
	 */
	default Mono<ListPage<ObjectVersion>> listVersions(ListOptions options) {
		return Mono.empty();
	}

	/**
	 * Opens a watch. Cold: each subscription is one request, cancelling it closes the
	 * connection. The stream completes when the server ends it or the connection is lost
	 * after it was established. It respects {@code request(n)}, so that a slow mirror
	 * slows down the server.
	 * @param options what to ask for
	 * @return the events in the order of the server
	 */
	Flux<WatchEvent<T>> watch(WatchOptions options);

	/**
	 * Waits for the type after a {@link TypeNotServedException}. Cold; a subscription
	 * that is cancelled waits no longer. Completes, on any thread, when the type has
	 * appeared, or when only a request can show it. The engine keeps a minimum time
	 * between attempts, and makes one now and then even if this never completes.
	 * @return completes when the next attempt is due; by default, it never completes
	 */
	default Mono<Void> awaitType() {
		return Mono.never();
	}

	/**
	 * Waits for a sign that another attempt may succeed after a failure, such as a server
	 * that accepts connections again or a token that has changed. Called once for each
	 * failure after which the engine waits, unless the failure is expected to pass soon.
	 * If this source waits for refused connections, the engine then makes its own
	 * attempts only now and then.
	 * @param failure what {@link #list} or {@link #watch} has failed with
	 * @return completes, on any thread, when the next attempt should be made; a
	 * subscription that is cancelled waits no longer. {@code null}, the default, when
	 * this source does not wait for anything
	 */
	default @Nullable Mono<Void> awaitRecovery(Throwable failure) {
		return null;
	}

	/**
	 * Whether this source returns {@linkplain CachedObjects the objects that the mirror
	 * holds} instead of reading objects again that have not changed. Only then are they
	 * in the context of its requests. A source in front of another one must return
	 * {@code false} if it changes the objects of that: it would get changed objects to
	 * change again.
	 * @return whether it does; by default {@code false}
	 */
	default boolean reusesCachedObjects() {
		return false;
	}

	/**
	 * Whether two watches of this source may be open at the same time, so that the next
	 * one is opened before the current one ends. For this, a watch must deliver its
	 * events in the order of their resource versions. A source that does not, returns
	 * {@code false}; then one watch follows the other, and the version of the last event
	 * counts, also when it is lower than one before.
	 * @return whether they may; by default {@code true}
	 */
	default boolean watchesOverlap() {
		return true;
	}

	/**
	 * Whether an object that was received in the version of the one in the mirror is the
	 * same. The mirror asks this while it is locked, so the answer must be quick, and
	 * must not fail. A source overrides it when its versions do not identify content,
	 * because the order of its own log decides.
	 * @param held the object in the mirror
	 * @param received an object of the same key and version
	 * @return whether nothing has changed, so that nothing is delivered; {@code true} by
	 * default, because an API server never uses a version for two states
	 */
	default boolean isSame(T held, T received) {
		return true;
	}

	/**
	 * Whether a version means the same in another process, and after a restart of this
	 * one. Only then can a mirror of this source be durable, or be divided into slots.
	 * @return whether it does; by default {@code true}
	 */
	default boolean versionsOutliveProcess() {
		return true;
	}

	/**
	 * Identifies the cluster or other place of the collection, for durable mirrors: a
	 * snapshot of another place is not used. The same place has the same identity after a
	 * restart, and after it was restored from a backup. Cold.
	 * <p>
	 * A server has {@code uid:UID url:URL}, or {@code url:URL} while its uid cannot be
	 * read; then it is asked for again. Equal uids are the same place, whatever the URL,
	 * and two uids are two places. Where a uid is missing, equal URLs are the same place,
	 * and with two URLs a list decides. Any other text stands for a uid.
	 * @return the identity; an error when it is not known now, and it is asked for again;
	 * empty, which is the default, when it is not known
	 */
	default Mono<String> serverIdentity() {
		return Mono.empty();
	}

	/**
	 * The plural under which the collection is served.
	 * @return the plural, or {@code null} when it is not known (yet)
	 */
	default @Nullable String plural() {
		return null;
	}

	/**
	 * The label selector that all requests have.
	 * @return the selector, empty for all objects
	 */
	default String labelSelector() {
		return "";
	}

	/**
	 * The field selector that all requests have.
	 * @return the selector, empty for all objects
	 */
	default String fieldSelector() {
		return "";
	}

	/**
	 * The share of the collection that this source has, when several replicas divide it.
	 * @return the share, {@code null} when it has the whole collection
	 */
	default ReflectorStatus.@Nullable Shard shard() {
		return null;
	}

}
