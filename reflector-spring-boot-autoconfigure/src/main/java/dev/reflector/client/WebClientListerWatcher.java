package dev.reflector.client;

import java.util.function.Function;

import dev.reflector.cache.BrokenAnswer;
import dev.reflector.cache.ListOptions;
import dev.reflector.cache.ListPage;
import dev.reflector.cache.ListerWatcher;
import dev.reflector.cache.ObjectVersion;
import dev.reflector.cache.Status;
import dev.reflector.cache.WatchEvent;
import dev.reflector.cache.WatchOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Lists and watches one collection over HTTP. Bytes are cut into frames where they arrive
 * and decoded frame by frame on the decode scheduler; what is not asked for downstream is
 * in the end not read from the socket.
 *
 * @param <T> the type of the objects
 */
final class WebClientListerWatcher<T> implements ListerWatcher<T> {

	private static final Logger logger = LoggerFactory.getLogger(WebClientListerWatcher.class);

	/** How many frames may wait between the network and the decoder. */
	static final int PREFETCH = 32;

	private final Exchange exchange;

	private final CollectionUris uris;

	private final PluralSource plural;

	private final Representation representation;

	private final Representation versionsOnly = new Representation(true);

	private final ObjectDecoder<T> objectDecoder;

	private final WatchDecoder<T> watchDecoder;

	private final ListMetadataReader metadataReader;

	private final int maxObjectSize;

	private final Scheduler decodeScheduler;

	WebClientListerWatcher(Exchange exchange, CollectionUris uris, PluralSource plural, Representation representation,
			ObjectDecoder<T> objectDecoder, WatchDecoder<T> watchDecoder, ListMetadataReader metadataReader,
			int maxObjectSize, Scheduler decodeScheduler) {
		this.exchange = exchange;
		this.uris = uris;
		this.plural = plural;
		this.representation = representation;
		this.objectDecoder = objectDecoder;
		this.watchDecoder = watchDecoder;
		this.metadataReader = metadataReader;
		this.maxObjectSize = maxObjectSize;
		this.decodeScheduler = decodeScheduler;
	}

	@Override
	public @Nullable String plural() {
		return this.plural.known();
	}

	@Override
	public Mono<Void> awaitType() {
		return this.plural.awaitServed();
	}

	@Override
	public Mono<ListPage<T>> list(ListOptions options) {
		return list(options, this.representation, this.objectDecoder::decode);
	}

	@Override
	public Mono<ListPage<ObjectVersion>> listVersions(ListOptions options) {
		return list(options, this.versionsOnly, new ObjectVersionDecoder(this.uris.resourceType())::decode);
	}

	private <R> Mono<ListPage<R>> list(ListOptions options, Representation form, Function<Frame, Decoded<R>> decoder) {
		return this.plural.request(options.namespace(), (plural) -> {
			ApiRequest plain = this.uris.list(plural, options);
			ApiRequest request = form.list(plain);
			return list(request, decoder).onErrorResume((ex) -> form.refused(request, ex),
					(ex) -> list(plain, decoder));
		}).singleOrEmpty();
	}

	private <R> Mono<ListPage<R>> list(ApiRequest request, Function<Frame, Decoded<R>> decoder) {
		ListFramer framer = new ListFramer(this.uris.resourceType(), this.maxObjectSize);
		return this.exchange.get(request, (body) -> frames(framer, body))
			.publishOn(this.decodeScheduler, PREFETCH)
			.map(decoder)
			.collect(ListPageBuilder<R>::new, ListPageBuilder::add)
			.map((page) -> page.build(framer, this.metadataReader))
			.onErrorResume(MalformedResponseException.class, (ex) -> Mono.deferContextual((context) -> {
				BrokenAnswer.MALFORMED.tell(context);
				return Mono.error(new MalformedResponseException(
						request + " was answered with success, but " + ex.getMessage(), ex));
			}));
	}

	@Override
	public Flux<WatchEvent<T>> watch(WatchOptions options) {
		return this.plural.request(options.namespace(), (plural) -> {
			ApiRequest plain = this.uris.watch(plural, options);
			ApiRequest request = this.representation.watch(plain);
			return watch(request).onErrorResume((ex) -> this.representation.refused(request, ex), (ex) -> watch(plain));
		});
	}

	private Flux<WatchEvent<T>> watch(ApiRequest request) {
		WatchFramer framer = new WatchFramer(this.maxObjectSize);
		return this.exchange
			.stream(request,
					(body) -> Flux.concat(Mono.just(new WatchEvent.Opened<T>()), events(request, framer, body)))
			// W-32: one synthetic error, then the end
			.onErrorResume(MalformedResponseException.class, (ex) -> Flux.deferContextual((context) -> {
				BrokenAnswer.MALFORMED.tell(context);
				return Flux.just(new WatchEvent.Error<>(Status.undecodable(request + ": " + ex.getMessage())));
			}));
	}

	private Flux<WatchEvent<T>> events(ApiRequest request, WatchFramer framer, Flux<byte[]> body) {
		return frames(framer, body).doOnComplete(() -> {
			if (framer.isInFrame()) {
				logger.debug("{}: the stream ended within a frame", request);
			}
		}).publishOn(this.decodeScheduler, PREFETCH).map(this.watchDecoder::decode);
	}

	private static Flux<Frame> frames(Framer framer, Flux<byte[]> body) {
		// one buffer at a time: the next is asked for when all frames of this one are
		// gone
		return body.concatMapIterable(framer::frames, 1);
	}

}
