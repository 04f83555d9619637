package dev.reflector.client;

import java.util.function.Function;

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

import org.springframework.core.io.buffer.DataBuffer;

/**
 * Lists and watches one collection over HTTP. Bytes are cut into frames and these decoded
 * on the decode scheduler; what is not asked for downstream is in the end not read from
 * the socket.
 *
 * @param <T> the type of the objects
 */
final class WebClientListerWatcher<T> implements ListerWatcher<T> {

	private static final Logger logger = LoggerFactory.getLogger(WebClientListerWatcher.class);

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
		return this.exchange.get(request, (body) -> new DecodedBody<>(body, framer, decoder, this.decodeScheduler))
			.collect(ListPageBuilder<R>::new, ListPageBuilder::add)
			.map((page) -> page.build(framer, this.metadataReader))
			.onErrorMap(MalformedResponseException.class, (ex) -> new MalformedResponseException(
					request + " was answered with success, but " + ex.getMessage(), ex));
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
			.onErrorResume(MalformedResponseException.class,
					(ex) -> Flux.just(new WatchEvent.Error<>(Status.undecodable(request + ": " + ex.getMessage()))));
	}

	private Flux<WatchEvent<T>> events(ApiRequest request, WatchFramer framer, Flux<DataBuffer> body) {
		Flux<WatchEvent<T>> events = new DecodedBody<>(body, framer, this.watchDecoder::decode, this.decodeScheduler);
		return events.doOnComplete(() -> {
			if (framer.isInFrame()) {
				logger.debug("{}: the stream ended within a frame", request);
			}
		});
	}

}
