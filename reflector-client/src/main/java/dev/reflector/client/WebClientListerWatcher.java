package dev.reflector.client;

import java.util.function.Function;

import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.CachedObjects;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.client.internal.discovery.PluralSource;
import dev.reflector.client.internal.discovery.ServerIdentity;
import dev.reflector.client.internal.exchange.Answer;
import dev.reflector.client.internal.exchange.ApiRequest;
import dev.reflector.client.internal.exchange.CollectionUris;
import dev.reflector.client.internal.exchange.ContentNegotiation;
import dev.reflector.client.internal.exchange.Exchange;
import dev.reflector.client.internal.exchange.Recovery;
import dev.reflector.client.internal.frame.MalformedResponseException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Lists and watches one collection over HTTP. Applies backpressure: it reads no more from
 * the socket than the subscriber has requested.
 *
 * @param <T> the type of the objects
 */
final class WebClientListerWatcher<T> implements ListerWatcher<T> {

	private final Exchange exchange;

	private final Recovery recovery;

	private final CollectionUris uris;

	private final PluralSource plural;

	private final ContentNegotiation objects;

	private final ContentNegotiation versions;

	private final CollectionReader<T> reader;

	private final ServerIdentity identity;

	WebClientListerWatcher(Exchange exchange, Recovery recovery, CollectionUris uris, PluralSource plural,
			ContentNegotiation negotiation, CollectionReader<T> reader, ServerIdentity identity) {
		this.exchange = exchange;
		this.recovery = recovery;
		this.uris = uris;
		this.plural = plural;
		this.objects = negotiation;
		this.versions = negotiation.ofMetadata();
		this.reader = reader;
		this.identity = identity;
	}

	@Override
	public boolean reusesCachedObjects() {
		return true;
	}

	@Override
	public @Nullable String plural() {
		return this.plural.known();
	}

	@Override
	public String labelSelector() {
		return this.uris.labelSelector();
	}

	@Override
	public String fieldSelector() {
		return this.uris.fieldSelector();
	}

	@Override
	public Mono<String> serverIdentity() {
		return this.identity.get();
	}

	@Override
	public Mono<Void> awaitType() {
		return this.plural.awaitServed();
	}

	@Override
	public @Nullable Mono<Void> awaitRecovery(Throwable failure) {
		return this.recovery.await(failure);
	}

	@Override
	public Mono<ListPage<T>> list(ListOptions options) {
		return Mono.deferContextual((context) -> {
			CachedObjects<T> known = CachedObjects.of(context);
			RequestListener listener = RequestListener.of(context);
			return list(options, this.objects, (answer) -> this.reader.page(answer, known, listener));
		});
	}

	@Override
	public Mono<ListPage<ObjectVersion>> listVersions(ListOptions options) {
		return Mono.deferContextual((context) -> {
			RequestListener listener = RequestListener.of(context);
			return list(options, this.versions, (answer) -> this.reader.versions(answer, listener));
		});
	}

	private <R> Mono<ListPage<R>> list(ListOptions options, ContentNegotiation form,
			Function<Answer, Flux<ListPage<R>>> reader) {
		return this.plural.request(options.namespace(), (plural) -> list(this.uris.list(plural, options), form, reader))
			.singleOrEmpty();
	}

	private <R> Flux<ListPage<R>> list(ApiRequest plain, ContentNegotiation form,
			Function<Answer, Flux<ListPage<R>>> reader) {
		ApiRequest request = form.list(plain);
		return this.exchange.send(request, reader)
			.onErrorResume(MalformedResponseException.class, (ex) -> Mono.deferContextual((context) -> {
				RequestListener.of(context).broken(RequestListener.BrokenAnswer.MALFORMED);
				return Mono.error(new MalformedResponseException(
						request + " was answered with success, but " + ex.getMessage(), ex));
			}))
			.onErrorResume((ex) -> form.isRefusal(request, ex),
					(ex) -> form.giveUp(request).thenMany(Flux.defer(() -> list(plain, form, reader))));
	}

	@Override
	public Flux<WatchEvent<T>> watch(WatchOptions options) {
		return Flux.deferContextual((context) -> {
			CachedObjects<T> known = options.sendInitialEvents() ? CachedObjects.of(context) : null;
			RequestListener listener = RequestListener.of(context);
			Function<String, Flux<WatchEvent<T>>> watch = (plural) -> watch(this.uris.watch(plural, options),
					(answer) -> this.reader.events(answer, options.sendInitialEvents(), known, listener));
			return this.plural
				.request(options.namespace(), (plural) -> this.plural.requireWatchable().thenMany(watch.apply(plural)))
				.onErrorMap(WebClientListerWatcher::isNotAllowed, (ex) -> this.plural.notWatchable());
		});
	}

	/**
	 * Returns whether a failure means that the server does not support watches of the
	 * type.
	 */
	private static boolean isNotAllowed(Throwable failure) {
		return failure instanceof ApiException answered && answered.status().code() == 405;
	}

	private Flux<WatchEvent<T>> watch(ApiRequest plain, Function<Answer, Flux<WatchEvent<T>>> reader) {
		ApiRequest request = this.objects.watch(plain);
		return this.exchange
			.stream(request, (answer) -> Flux.concat(Mono.just(new WatchEvent.Opened<T>()), reader.apply(answer)))
			// W-32: the stream ends with one error event
			.onErrorResume(MalformedResponseException.class, (ex) -> Flux.deferContextual((context) -> {
				RequestListener.of(context).broken(RequestListener.BrokenAnswer.MALFORMED);
				return Flux.just(new WatchEvent.Error<>(Status.undecodable(request + ": " + ex.getMessage())));
			}))
			.onErrorResume((ex) -> this.objects.isRefusal(request, ex),
					(ex) -> this.objects.giveUp(request).thenMany(Flux.defer(() -> watch(plain, reader))));
	}

}
