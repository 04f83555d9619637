package dev.reflector.client.internal.discovery;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

import dev.reflector.ResourceType;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.TypeNotServedException;
import dev.reflector.cache.source.WatchNotSupportedException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds the plural of a collection. It is the declared plural or, if none is declared,
 * the plural from discovery. If discovery is not allowed, it is the English plural of the
 * kind. This class also finds the reason for a 404.
 */
public final class PluralSource {

	/**
	 * The shortest pause between two requests for objects while discovery is not allowed.
	 */
	private static final Duration BLIND = Duration.ofSeconds(5);

	private final ApiDiscovery discovery;

	private final ResourceType type;

	private volatile @Nullable String plural;

	/**
	 * Whether discovery is not allowed, so that only requests for objects show whether
	 * the type is served.
	 */
	private volatile boolean blind;

	public PluralSource(ApiDiscovery discovery, ResourceType type) {
		this.discovery = discovery;
		this.type = type;
		this.plural = type.plural();
	}

	@Nullable public String known() {
		return this.plural;
	}

	/**
	 * Sends a request with the plural. If the request fails with 404, finds the reason.
	 * @param <R> the type of the result
	 * @param namespace the requested namespace, or {@code null} for all namespaces
	 * @param request sends the request with a plural
	 * @return the result; a {@link TypeNotServedException} if the type is not served
	 */
	public <R> Flux<R> request(@Nullable String namespace, Function<String, Publisher<R>> request) {
		return plural().flatMapMany((plural) -> {
			long since = System.nanoTime();
			return Flux.from(request.apply(plural))
				.doOnError(PluralSource::isUnauthorized, (ex) -> forgetGuess())
				.onErrorResume(PluralSource::isNotFound,
						(ex) -> explain((ApiException) ex, plural, namespace, since).flatMapMany(Flux::error));
		});
	}

	/**
	 * Forgets a guessed plural when the credentials were rejected. Discovery may have
	 * been refused for the same reason, and may be allowed with other credentials.
	 */
	private void forgetGuess() {
		if (this.discovery.known(this.type) == null) {
			this.plural = this.type.plural();
		}
	}

	/**
	 * Waits for a type that is not served.
	 * @return a publisher that completes when the request should be sent again, because
	 * the type may be served
	 */
	public Mono<Void> awaitServed() {
		return Mono.defer(() -> {
			if (this.blind) {
				double jitter = 1 + ThreadLocalRandom.current().nextDouble() / 2;
				return this.discovery.pause(Duration.ofNanos((long) (BLIND.toNanos() * jitter)));
			}
			return this.discovery.await(this.type, (served) -> find(served) != null);
		});
	}

	private Mono<String> plural() {
		return Mono.defer(() -> {
			String known = this.plural;
			return (known != null) ? Mono.just(known) : discover();
		});
	}

	private Mono<String> discover() {
		return this.discovery.lookup(this.type, (served) -> find(served) != null).flatMap((served) -> {
			this.blind = false;
			DiscoveredType found = find(served);
			if (found == null) {
				return notServed(served).flatMap(Mono::error);
			}
			this.plural = found.plural();
			return Mono.just(found.plural());
		}).onErrorResume(PluralSource::isForbidden, (ex) -> {
			String guess = ResourceType.englishPlural(this.type.kind());
			this.discovery.forbidden(this.type, guess, (ApiException) ex);
			this.plural = guess;
			return Mono.just(guess);
		});
	}

	/**
	 * Completes if the type can be watched, or if this is not known. If the known types
	 * say that it cannot, looks it up again, unless they were requested just now.
	 * @return a publisher that completes, or fails with a
	 * {@link WatchNotSupportedException}
	 */
	public Mono<Void> requireWatchable() {
		return Mono.defer(() -> {
			ServedTypes served = this.discovery.known(this.type);
			if (served == null || isWatchable(served)) {
				return Mono.empty();
			}
			return this.discovery.lookup(this.type, this::isWatchable)
				.map(this::isWatchable)
				.onErrorReturn(false)
				.<Void>flatMap((watchable) -> watchable ? Mono.empty() : Mono.error(notWatchable()));
		});
	}

	private boolean isWatchable(ServedTypes served) {
		DiscoveredType found = find(served);
		return found == null || found.watchable();
	}

	/** Creates the exception for a type that can be listed but not watched. */
	public WatchNotSupportedException notWatchable() {
		return new WatchNotSupportedException("the server lists " + this.type + ", but does not watch it");
	}

	private @Nullable DiscoveredType find(ServedTypes served) {
		String declared = this.type.plural();
		return (declared != null) ? served.ofPlural(declared) : served.ofKind(this.type.kind());
	}

	private Mono<ApiException> explain(ApiException failure, String plural, @Nullable String namespace, long since) {
		// if the type is installed again, it may have another plural
		this.plural = this.type.plural();
		return this.discovery.lookupSince(this.type, since).flatMap((served) -> {
			this.blind = false;
			DiscoveredType found = find(served);
			if (found == null) {
				return notServed(served);
			}
			return Mono.just((found.namespaced() || namespace == null) ? failure : clusterScoped(namespace));
		}).onErrorResume((ex) -> {
			if (isForbidden(ex)) {
				this.blind = true;
				return Mono.just(new TypeNotServedException(
						failure.getMessage() + "; API discovery is not allowed and cannot say more, '" + plural
								+ "' is " + ((this.type.plural() != null) ? "declared" : "a guess")));
			}
			return Mono.just((ex instanceof ApiException answered && isNotFound(ex)) ? answered : failure);
		});
	}

	private Mono<ApiException> notServed(ServedTypes served) {
		DiscoveredType otherwise = served.named(this.type.kind());
		if (otherwise != null && this.type.plural() == null) {
			return Mono.just(new TypeNotServedException("the server names the plural '" + otherwise.plural() + "' for "
					+ this.type + ", which is not a DNS label; if it is right, declare it as 'plural'"));
		}
		if (otherwise != null) {
			return Mono
				.just(new TypeNotServedException("the server does not serve " + this.type + " as '" + this.type.plural()
						+ "': there it has the plural '" + otherwise.plural() + "'; correct 'plural'"));
		}
		return this.discovery.otherVersions(this.type, (other) -> find(other) != null)
			.flatMap((versions) -> versions.isEmpty() ? missing(served)
					: Mono.just("it serves this kind as " + String.join(", ", versions)
							+ "; correct apiVersion, unless this version is yet to be added to its CRD"))
			.map((reason) -> new TypeNotServedException("the server does not serve " + this.type + ": " + reason));
	}

	private Mono<String> missing(ServedTypes served) {
		return served.present() ? Mono.just(served.missing(this.type.kind()))
				: this.discovery.nearVersions(this.type).map(ServedTypes::absentVersion);
	}

	private ApiException clusterScoped(String namespace) {
		String message = this.type
				+ " is cluster-scoped: its objects are in no namespace, but the reflector mirrors the namespace '"
				+ namespace + "'; remove the namespaces, with an empty 'reflector.resources.<name>.namespaces' if they "
				+ "come from 'reflector.api-server.namespace'";
		return new ApiException(message, new Status(404, "ClusterScoped", message, List.of(), 0, false), Duration.ZERO);
	}

	private static boolean isNotFound(Throwable failure) {
		return failure instanceof ApiException answered && answered.status().code() == 404;
	}

	private static boolean isForbidden(Throwable failure) {
		return isUnauthorized(failure) || (failure instanceof ApiException answered && answered.status().code() == 403);
	}

	private static boolean isUnauthorized(Throwable failure) {
		return failure instanceof ApiException answered && answered.status().code() == 401;
	}

}
