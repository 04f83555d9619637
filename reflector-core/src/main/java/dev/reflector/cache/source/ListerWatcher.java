package dev.reflector.cache.source;

import dev.reflector.ReflectorStatus;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The source of lists and watches of one collection (client-go: {@code ListerWatcher}).
 * <p>
 * Failures are signalled as errors of the publishers: an {@link ApiException} when the
 * server has responded with a failure, any other exception when there is no valid
 * response. A source does not retry: the engine decides when to try again.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public interface ListerWatcher<T> {

	/**
	 * Creates a source that changes objects before the engine receives them. If the
	 * function throws for an object, the object becomes a {@link SkippedObject}.
	 * @param <T> the type of the objects
	 * @param source the source of the objects
	 * @param function changes the objects
	 * @param accessor reads the metadata of the objects
	 * @return the new source, to use instead of the given one
	 */
	static <T> ListerWatcher<T> transformed(ListerWatcher<T> source, TransformFunction<T> function,
			ResourceAccessor<T> accessor) {
		return new TransformingListerWatcher<>(source, function, accessor);
	}

	/**
	 * Requests one page of the collection. Cold: each subscription is one request.
	 * @param options the options of the request
	 * @return the page
	 */
	Mono<ListPage<T>> list(ListOptions options);

	/**
	 * Requests keys and versions of one page of the collection, if the source can do so
	 * at a lower cost than with {@link #list}. Used to compare a mirror with the server,
	 * and to ask the server {@linkplain ListOptions#asksForVersion() whether it has
	 * reached a version}.
	 * @param options the options of the request
	 * @return the page; empty if the source cannot do so, which is the default
	 */
	default Mono<ListPage<ObjectVersion>> listVersions(ListOptions options) {
		return Mono.empty();
	}

	/**
	 * Opens a watch. Cold: each subscription is one request, and its cancellation closes
	 * the connection. The stream completes when the server ends the watch, or when an
	 * established connection is lost. The stream respects {@code request(n)}, so a slow
	 * mirror slows down the server.
	 * @param options the options of the request
	 * @return the events in the order of the server
	 */
	Flux<WatchEvent<T>> watch(WatchOptions options);

	/**
	 * Waits until the server serves the type, after a {@link TypeNotServedException}.
	 * Cold; the cancellation of a subscription ends the wait. The engine keeps a minimum
	 * time between attempts, and also makes an attempt from time to time if the publisher
	 * does not complete.
	 * @return a publisher that completes, on any thread, when the server serves the type,
	 * or when only a request can show whether it does; by default, it never completes
	 */
	default Mono<Void> awaitType() {
		return Mono.never();
	}

	/**
	 * Waits, after a failure, for a sign that another attempt may succeed: for example,
	 * the server accepts connections again, or a token has changed. Called once for each
	 * failure after which the engine waits, unless the failure is expected to end soon.
	 * If the failure is a refused connection and this source waits, the engine itself
	 * makes attempts only rarely.
	 * @param failure the failure of {@link #list} or {@link #watch}
	 * @return a publisher that completes, on any thread, when the next attempt should be
	 * made; the cancellation of a subscription ends the wait. {@code null}, the default,
	 * when this source does not wait
	 */
	default @Nullable Mono<Void> awaitRecovery(Throwable failure) {
		return null;
	}

	/**
	 * Whether this source returns {@linkplain CachedObjects the objects that the mirror
	 * holds} instead of reading unchanged objects again. The context of its requests
	 * contains these objects only if this method returns {@code true}. A source that
	 * changes the objects of another source must return {@code false}: otherwise, it
	 * would receive objects that are already changed, and change them again.
	 * @return whether this source returns objects of the mirror; by default {@code false}
	 */
	default boolean reusesCachedObjects() {
		return false;
	}

	/**
	 * Whether two watches of this source may be open at the same time, so that the next
	 * watch can open before the current one ends. A source may return {@code true} only
	 * if its watches deliver events in the order of resource versions. If it returns
	 * {@code false}, each watch opens after the previous one has ended, and the reflector
	 * continues from the version of the last event, even if an earlier event had a higher
	 * version.
	 * @return whether two watches may be open; by default {@code true}
	 */
	default boolean watchesOverlap() {
		return true;
	}

	/**
	 * Whether a received object equals the object in the mirror that has the same
	 * version. If so, nothing is delivered. Called while the mirror is locked, so it must
	 * be quick and must not fail. Override it in a source whose versions do not identify
	 * content.
	 * @param held the object in the mirror
	 * @param received the received object, with the same key and version
	 * @return whether the two are equal; {@code true} by default, because an API server
	 * never uses a version for two states
	 */
	default boolean isSame(T held, T received) {
		return true;
	}

	/**
	 * Whether a version has the same meaning in another process, and after a restart of
	 * this process. Only then can a mirror of this source be durable, or be divided into
	 * slots.
	 * @return whether versions keep their meaning; by default {@code true}
	 */
	default boolean versionsOutliveProcess() {
		return true;
	}

	/**
	 * Returns the identity of the place of the collection, for example of a cluster. A
	 * durable mirror does not use a snapshot of another place. A place keeps its identity
	 * when it restarts, and when it is restored from a backup. Cold.
	 * <p>
	 * The identity of a server is {@code uid:UID url:URL}, or {@code url:URL} while its
	 * uid cannot be read; in this case the identity is requested again. Equal uids mean
	 * the same place, even with different URLs. Different uids mean different places. If
	 * a uid is missing, equal URLs mean the same place; with different URLs, the stored
	 * objects are compared with a list. Any other text counts as a uid.
	 * @return the identity; an error when it is currently not known and should be
	 * requested again; empty, which is the default, when there is none
	 */
	default Mono<String> serverIdentity() {
		return Mono.empty();
	}

	/**
	 * Returns the plural name of the type, under which the server serves the collection.
	 * @return the plural name, or {@code null} while it is not known
	 */
	default @Nullable String plural() {
		return null;
	}

	/**
	 * Returns the label selector that all requests contain.
	 * @return the selector, empty for all objects
	 */
	default String labelSelector() {
		return "";
	}

	/**
	 * Returns the field selector that all requests contain.
	 * @return the selector, empty for all objects
	 */
	default String fieldSelector() {
		return "";
	}

	/**
	 * Returns this source's share of the collection, when several replicas divide the
	 * collection.
	 * @return the share, {@code null} when this source reads the whole collection
	 */
	default ReflectorStatus.@Nullable Shard shard() {
		return null;
	}

}
