package dev.reflector.client;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

import dev.reflector.ResourceType;
import dev.reflector.cache.ListOptions;
import dev.reflector.cache.ListPage;
import dev.reflector.cache.ListerWatcher;
import dev.reflector.cache.SkippedObject;
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
import org.springframework.core.io.buffer.DataBufferUtils;

/**
 * Lists and watches a collection over HTTP. Bytes are cut into objects before they are
 * decoded, and decoded one by one on the decode workers: I/O threads only hand buffers
 * over, and not more of them than the consumer keeps up with.
 *
 * @param <T> the type of the objects
 */
final class WebClientListerWatcher<T> implements ListerWatcher<T> {

	private static final Logger logger = LoggerFactory.getLogger(WebClientListerWatcher.class);

	/** How many buffers may wait between the network and the decoder. */
	private static final int BUFFERS = 8;

	/** E-35: how long after its agreed end a watch that goes on is closed from here. */
	private static final Duration GRACE = Duration.ofSeconds(30);

	private final ApiServerClient client;

	private final Discovery discovery;

	private final ResourceDecoder<T> decoder;

	private final ResourceType type;

	private final String labelSelector;

	private final String fieldSelector;

	WebClientListerWatcher(ApiServerClient client, Discovery discovery, ResourceDecoder<T> decoder, ResourceType type,
			String labelSelector, String fieldSelector) {
		this.client = client;
		this.discovery = discovery;
		this.decoder = decoder;
		this.type = type;
		this.labelSelector = labelSelector;
		this.fieldSelector = fieldSelector;
	}

	@Override
	public @Nullable String plural() {
		return this.discovery.known();
	}

	@Override
	public Mono<ListPage<T>> list(ListOptions options) {
		return this.discovery.plural().flatMap((plural) -> {
			RequestDescription request = describe("list", plural, options.namespace());
			StringBuilder query = new StringBuilder();
			selectors(query);
			ApiPath.parameter(query, "resourceVersion", options.resourceVersion());
			ApiPath.parameter(query, "limit", (options.limit() > 0) ? String.valueOf(options.limit()) : "");
			ApiPath.parameter(query, "continue", options.continueToken());
			return this.client.list(request.path() + query, request, this::readPage).next();
		}).timeout(Mono.delay(openTimeout().multipliedBy(60), scheduler()));
	}

	private Mono<ListPage<T>> readPage(Flux<DataBuffer> body) {
		return Mono.defer(() -> {
			PageReader reader = new PageReader();
			return untilIdle(body, true).publishOn(scheduler(), BUFFERS)
				.doOnDiscard(DataBuffer.class, DataBufferUtils::release)
				.concatMap((buffer) -> Mono.fromCallable(() -> reader.read(bytes(buffer))), 1)
				.then(Mono.fromCallable(reader::finish));
		});
	}

	@Override
	public Flux<WatchEvent<T>> watch(WatchOptions options) {
		return this.discovery.plural().flatMapMany((plural) -> {
			RequestDescription request = describe("watch", plural, options.namespace());
			StringBuilder query = new StringBuilder();
			selectors(query);
			ApiPath.parameter(query, "resourceVersion", options.resourceVersion());
			ApiPath.parameter(query, "resourceVersionMatch", options.sendInitialEvents() ? "NotOlderThan" : "");
			ApiPath.parameter(query, "sendInitialEvents", options.sendInitialEvents() ? "true" : "");
			ApiPath.parameter(query, "allowWatchBookmarks", options.bookmarks() ? "true" : "");
			ApiPath.parameter(query, "timeoutSeconds", String.valueOf(options.timeout().toSeconds()));
			ApiPath.parameter(query, "watch", "true");
			return this.client.watch(request.path() + query, request, (body) -> readFrames(body, request))
				.takeUntilOther(Mono.delay(options.timeout().plus(GRACE), scheduler()));
		}).timeout(Mono.delay(openTimeout(), scheduler()), (event) -> Mono.never());
	}

	private Flux<WatchEvent<T>> readFrames(Flux<DataBuffer> body, RequestDescription request) {
		return Flux.defer(() -> {
			FrameReader reader = new FrameReader();
			Flux<DataBuffer> established = untilIdle(body, false).onErrorResume((ex) -> {
				// W-32: once established, a lost connection is an end like any other
				logger.debug("{} ended: {}", request, ex.toString());
				return Mono.empty();
			});
			Flux<WatchEvent<T>> events = established.publishOn(scheduler(), BUFFERS)
				.doOnDiscard(DataBuffer.class, DataBufferUtils::release)
				.concatMapIterable((buffer) -> reader.read(bytes(buffer)), 1)
				.takeUntil((event) -> event instanceof WatchEvent.Error);
			return Flux.concat(Mono.just(new WatchEvent.Opened<>()), events);
		});
	}

	/**
	 * E-02: gives up on a connection that has gone silent. Silence counts only while
	 * bytes are wanted: a slow consumer is no dead server.
	 */
	private Flux<DataBuffer> untilIdle(Flux<DataBuffer> body, boolean fail) {
		AtomicLong wanted = new AtomicLong();
		Duration idle = this.client.options().idleTimeout();
		Mono<Long> silence = Flux.interval(idle, scheduler()).filter((tick) -> wanted.get() > 0).next();
		Flux<DataBuffer> counted = body.doOnNext((buffer) -> wanted.decrementAndGet())
			.doOnRequest(wanted::addAndGet)
			.timeout(silence, (buffer) -> silence);
		return counted.onErrorMap(TimeoutException.class, (ex) -> new IOException(
				"no byte came for " + idle.toSeconds() + " s: the connection is taken for dead"));
	}

	private void selectors(StringBuilder query) {
		ApiPath.parameter(query, "labelSelector", this.labelSelector);
		ApiPath.parameter(query, "fieldSelector", this.fieldSelector);
	}

	private RequestDescription describe(String verb, String plural, @Nullable String namespace) {
		String resource = this.type.group().isEmpty() ? plural : plural + "." + this.type.group();
		return new RequestDescription(verb, ApiPath.ofCollection(this.type, plural, namespace), resource, namespace);
	}

	private Duration openTimeout() {
		return this.client.options().connectTimeout().plus(this.client.options().idleTimeout());
	}

	private Scheduler scheduler() {
		return this.client.scheduler();
	}

	private int maxObjectSize() {
		return (int) Math.min(this.client.options().maxObjectSize().toBytes(), Integer.MAX_VALUE - 64);
	}

	private static byte[] bytes(DataBuffer buffer) {
		try {
			byte[] bytes = new byte[buffer.readableByteCount()];
			buffer.read(bytes);
			return bytes;
		}
		finally {
			DataBufferUtils.release(buffer);
		}
	}

	/** Frames of one watch. */
	private final class FrameReader {

		private final WatchFramer framer = new WatchFramer(maxObjectSize());

		List<WatchEvent<T>> read(byte[] bytes) {
			List<WatchEvent<T>> events = new ArrayList<>();
			try {
				this.framer.feed(bytes, (frame) -> events.add(WebClientListerWatcher.this.decoder.frame(frame)));
			}
			catch (MalformedResponseException ex) {
				events.add(new WatchEvent.Error<>(Status.undecodable(String.valueOf(ex.getMessage()))));
			}
			return events;
		}

	}

	/** One page of a list. */
	private final class PageReader implements ListFramer.Handler {

		private final ListFramer framer = new ListFramer(maxObjectSize(), this);

		private final List<T> items = new ArrayList<>();

		private final List<SkippedObject> skipped = new ArrayList<>();

		private ResourceDecoder.ListMeta meta = ResourceDecoder.ListMeta.EMPTY;

		private @Nullable MalformedResponseException problem;

		boolean read(byte[] bytes) throws MalformedResponseException {
			this.framer.feed(bytes);
			if (this.problem != null) {
				throw this.problem;
			}
			return true;
		}

		@Override
		public void item(Slice slice) {
			ResourceDecoder.Decoded<T> decoded = WebClientListerWatcher.this.decoder.item(slice);
			if (decoded.object() != null) {
				this.items.add(decoded.object());
			}
			else if (decoded.skipped() != null) {
				this.skipped.add(decoded.skipped());
			}
		}

		@Override
		public void member(String name, Slice value) {
			try {
				if (name.equals("metadata")) {
					this.meta = WebClientListerWatcher.this.decoder.listMeta(value);
				}
				else if (name.equals("kind") && WebClientListerWatcher.this.decoder.text(value).equals("Table")) {
					//
					this.problem = new MalformedResponseException("the server answered with a Table, not with a list");
				}
			}
			catch (MalformedResponseException ex) {
				this.problem = ex;
			}
		}

		ListPage<T> finish() throws MalformedResponseException {
			this.framer.end();
			String version = this.meta.resourceVersion();
			String token = this.meta.continueToken();
			return new ListPage<>(this.items, (version != null) ? version : "", (token != null) ? token : "",
					this.skipped);
		}

	}

}
