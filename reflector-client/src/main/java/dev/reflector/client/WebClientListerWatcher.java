package dev.reflector.client;

import java.util.function.Function;

import dev.reflector.cache.source.BrokenAnswer;
import dev.reflector.cache.source.HeldObjects;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.client.internal.decode.Decoded;
import dev.reflector.client.internal.decode.ExpectedList;
import dev.reflector.client.internal.decode.InitialObjects;
import dev.reflector.client.internal.decode.ListMetadataReader;
import dev.reflector.client.internal.decode.ListPageBuilder;
import dev.reflector.client.internal.discovery.PluralSource;
import dev.reflector.client.internal.discovery.ServerIdentity;
import dev.reflector.client.internal.exchange.Answer;
import dev.reflector.client.internal.exchange.ApiRequest;
import dev.reflector.client.internal.exchange.CborOffer;
import dev.reflector.client.internal.exchange.CollectionUris;
import dev.reflector.client.internal.exchange.Exchange;
import dev.reflector.client.internal.exchange.Recovery;
import dev.reflector.client.internal.exchange.Representation;
import dev.reflector.client.internal.frame.FrameDecoder;
import dev.reflector.client.internal.frame.MalformedResponseException;
import dev.reflector.client.internal.frame.PageFramer;
import dev.reflector.client.internal.frame.StreamFramer;
import dev.reflector.client.options.ObjectFormat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Lists and watches one collection over HTTP. Bytes are inflated, cut into frames and
 * these decoded on the decode scheduler; what is not asked for downstream is in the end
 * not read from the socket.
 *
 * @param <T> the type of the objects
 */
final class WebClientListerWatcher<T> implements ListerWatcher<T> {

	private static final Logger logger = LoggerFactory.getLogger(WebClientListerWatcher.class);

	private final Exchange exchange;

	private final CollectionUris uris;

	private final Recovery recovery;

	private final PluralSource plural;

	private final Representation representation;

	private final Representation versionsOnly;

	private final ExpectedList expected;

	private final ExpectedList expectedVersions;

	private final ObjectDecoders<T> decoders;

	private final ListMetadataReader metadataReader;

	private final int maxObjectSize;

	private final Scheduler decodeScheduler;

	private final ServerIdentity identity;

	WebClientListerWatcher(Exchange exchange, Recovery recovery, CollectionUris uris, PluralSource plural,
			boolean metadataOnly, CborOffer cbor, ObjectDecoders<T> decoders, ListMetadataReader metadataReader,
			int maxObjectSize, Scheduler decodeScheduler, ServerIdentity identity) {
		this.exchange = exchange;
		this.recovery = recovery;
		this.uris = uris;
		this.plural = plural;
		this.representation = new Representation(metadataOnly, cbor);
		this.versionsOnly = new Representation(true, cbor);
		this.expected = new ExpectedList(uris.resourceType(), metadataOnly);
		this.expectedVersions = new ExpectedList(uris.resourceType(), true);
		this.decoders = decoders;
		this.metadataReader = metadataReader;
		this.maxObjectSize = maxObjectSize;
		this.decodeScheduler = decodeScheduler;
		this.identity = identity;
	}

	@Override
	public boolean reusesHeldObjects() {
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
			HeldObjects<T> known = HeldObjects.of(context);
			return list(options, this.representation, this.expected, (format) -> this.decoders.items(format, known));
		});
	}

	@Override
	public Mono<ListPage<ObjectVersion>> listVersions(ListOptions options) {
		return list(options, this.versionsOnly, this.expectedVersions,
				(format) -> this.decoders.versions(format, this.uris.resourceType()));
	}

	private <R> Mono<ListPage<R>> list(ListOptions options, Representation form, ExpectedList expected,
			Function<ObjectFormat, FrameDecoder<Decoded<R>>> decoders) {
		return this.plural
			.request(options.namespace(), (plural) -> list(this.uris.list(plural, options), form, expected, decoders))
			.singleOrEmpty();
	}

	private <R> Flux<ListPage<R>> list(ApiRequest plain, Representation form, ExpectedList expected,
			Function<ObjectFormat, FrameDecoder<Decoded<R>>> decoders) {
		ApiRequest request = form.list(plain);
		return this.exchange.get(request, (answer) -> page(answer, expected, decoders.apply(answer.format())))
			.onErrorResume(MalformedResponseException.class, (ex) -> Mono.deferContextual((context) -> {
				BrokenAnswer.MALFORMED.tell(context);
				return Mono.error(new MalformedResponseException(
						request + " was answered with success, but " + ex.getMessage(), ex));
			}))
			.onErrorResume((ex) -> form.isRefusal(request, ex),
					(ex) -> form.giveUp(request).thenMany(Flux.defer(() -> list(plain, form, expected, decoders))));
	}

	private <R> Flux<ListPage<R>> page(Answer answer, ExpectedList expected, FrameDecoder<Decoded<R>> decoder) {
		PageFramer framer = ObjectDecoders.pages(answer.format(), this.uris.resourceType(), this.maxObjectSize);
		return answer.decoded(framer, decoder, this.decodeScheduler)
			.collect(ListPageBuilder<R>::new, ListPageBuilder::add)
			.map((page) -> build(page, framer, expected))
			.flux();
	}

	private <R> ListPage<R> build(ListPageBuilder<R> page, PageFramer framer, ExpectedList expected) {
		try {
			return page.build(framer, expected, this.metadataReader);
		}
		catch (Error ex) {
			JvmFailureException.rethrow(ex);
			throw ex;
		}
	}

	@Override
	public Flux<WatchEvent<T>> watch(WatchOptions options) {
		return Flux.deferContextual((context) -> {
			HeldObjects<T> known = options.sendInitialEvents() ? HeldObjects.of(context) : null;
			return this.plural.request(options.namespace(),
					(plural) -> watch(this.uris.watch(plural, options), options.sendInitialEvents(), known));
		});
	}

	private Flux<WatchEvent<T>> watch(ApiRequest plain, boolean initial, @Nullable HeldObjects<T> known) {
		ApiRequest request = this.representation.watch(plain);
		return events(request, initial, known).onErrorResume((ex) -> this.representation.isRefusal(request, ex),
				(ex) -> this.representation.giveUp(request).thenMany(Flux.defer(() -> watch(plain, initial, known))));
	}

	private Flux<WatchEvent<T>> events(ApiRequest request, boolean initial, @Nullable HeldObjects<T> known) {
		return this.exchange
			.stream(request,
					(answer) -> Flux.concat(Mono.just(new WatchEvent.Opened<T>()),
							events(request, answer, initial, known)))
			// W-32: one synthetic error, then the end
			.onErrorResume(MalformedResponseException.class, (ex) -> Flux.deferContextual((context) -> {
				BrokenAnswer.MALFORMED.tell(context);
				return Flux.just(new WatchEvent.Error<>(Status.undecodable(request + ": " + ex.getMessage())));
			}));
	}

	private Flux<WatchEvent<T>> events(ApiRequest request, Answer answer, boolean initial,
			@Nullable HeldObjects<T> known) {
		StreamFramer framer = ObjectDecoders.frames(answer.format(), this.maxObjectSize);
		answer.frames().accept(framer.open());
		Flux<WatchEvent<T>> events = answer.decoded(framer, this.decoders.events(answer.format(), known),
				this.decodeScheduler);
		Flux<WatchEvent<T>> checked = initial ? events.doOnNext(new InitialObjects()::check) : events;
		return checked.doOnComplete(() -> {
			if (framer.isInFrame()) {
				logger.debug("{}: the stream ended within a frame", request);
			}
		});
	}

}
