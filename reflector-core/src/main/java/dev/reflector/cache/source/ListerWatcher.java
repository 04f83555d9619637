package dev.reflector.cache.source;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The engine's port to the outside: where lists and watches of one collection come from.
 * <p>
 * Failures are signalled as errors of the publishers: an {@link ApiException} when the
 * server answered with a failure, anything else when it did not answer properly. Nothing
 * is retried here: the engine decides when to try again.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public interface ListerWatcher<T> {

	/**
	 * A source whose objects are changed before anyone sees them. One whose function
	 * throws is a {@link SkippedObject}.
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
	 * way to do so than {@link #list}. Used to compare a mirror with the server (rule
	 *
	 * @param options what to ask for
	 * @return the page; empty, which is the default, when there is no such way
	 */
	default Mono<ListPage<ObjectVersion>> listVersions(ListOptions options) {
		return Mono.empty();
	}

	/**
	 * Opens a watch. Cold: each subscription is one request, cancelling it closes the
	 * connection. The stream completes when the server ends it or the connection is lost
	 * after it was established (rule W-32), and respects {@code request(n)}, which slows
	 * down the server in the end.
	 * @param options what to ask for
	 * @return the events in the order of the server
	 */
	Flux<WatchEvent<T>> watch(WatchOptions options);

	/**
	 * Waits for the type after a {@link TypeNotServedException}. Cold; a subscription
	 * that is cancelled waits no longer. Completes, on any thread, when the type has
	 * appeared, or when only a request can tell. The engine keeps a distance between
	 * attempts however soon that is, and makes one by itself when nothing has been said
	 * for long.
	 * @return completes when the next attempt is due; by default, nothing is ever said
	 */
	default Mono<Void> awaitType() {
		return Mono.never();
	}

	/**
	 * Looks out for a sign that it is worth trying again after a failure, such as a
	 * server that takes connections again or a token that has changed. Called once for
	 * each failure after which the engine waits, unless that is expected to pass in a
	 * moment. Where this source looks after refused connections, the engine makes no
	 * attempts of its own meanwhile, but for one now and then.
	 * @param failure what {@link #list} or {@link #watch} has failed with
	 * @return completes, on any thread, when the next attempt is worth making; a
	 * subscription that is cancelled looks out no longer. {@code null}, the default, when
	 * this source does not look out
	 */
	default @Nullable Mono<Void> awaitRecovery(Throwable failure) {
		return null;
	}

	/**
	 * Whether this source hands out {@linkplain HeldObjects what the mirror holds} in
	 * place of objects that have not changed. Only then is that in the context of its
	 * requests. A source that is made of another one must not say so unless it hands on
	 * the objects of that as they are: it would get its own results back as raw material.
	 * @return whether it does; by default, it does not
	 */
	default boolean reusesHeldObjects() {
		return false;
	}

	/**
	 * Tells the cluster or other place of the collection from others, for durable
	 * mirrors: a snapshot of another place is not used. The same place has the same
	 * identity after a restart, and after it was restored from a backup. Cold.
	 * @return the identity; an error when it cannot be told now, and it is asked for
	 * again; empty, which is the default, when it is not known
	 */
	default Mono<String> serverIdentity() {
		return Mono.empty();
	}

	/**
	 * The plural under which the collection is served, as far as it is known.
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

}
