package dev.reflector.test.internal.read;

import java.time.Duration;
import java.time.Instant;

import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.ApiPath;
import dev.reflector.test.internal.api.Parameters;
import dev.reflector.test.internal.api.ServedType;
import dev.reflector.test.internal.exchange.Gzip;
import dev.reflector.test.internal.exchange.ServerExchange;
import dev.reflector.test.internal.format.Representation;
import dev.reflector.test.internal.format.View;
import dev.reflector.test.internal.options.ServerFeature;
import dev.reflector.test.internal.options.ServerOptions;
import dev.reflector.test.internal.store.CollectionState;
import dev.reflector.test.internal.store.ObjectRevision;
import dev.reflector.test.internal.store.ObjectStore;
import dev.reflector.test.internal.store.Selection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Answers lists and watches.
 */
public final class ResourceReads {

	/** Time between two checks whether a version has been reached. */
	private static final Duration LOOK = Duration.ofMillis(10);

	private final ObjectStore store;

	private final ServerOptions options;

	public ResourceReads(ObjectStore store, ServerOptions options) {
		this.store = store;
		this.options = options;
	}

	public Publisher<Void> list(ServerExchange exchange, ServedType type, String namespace) {
		exchange.representation().forList();
		Parameters parameters = exchange.parameters();
		parameters.checkList();
		Selection selection = Selection.of(type, namespace, parameters, this.options.has(ServerFeature.SHARDING));
		if (parameters.has("continue")) {
			return nextPage(exchange, type, selection);
		}
		long asked = parameters.resourceVersion();
		if (!isReached(asked)) {
			return exchange.after(reached(asked, exchange), (later) -> firstPage(later, type, selection, asked));
		}
		return firstPage(exchange, type, selection, asked);
	}

	private Publisher<Void> firstPage(ServerExchange exchange, ServedType type, Selection selection, long asked) {
		checkReached(asked);
		Parameters parameters = exchange.parameters();
		long limit = parameters.number("limit");
		// W-10: a request with a version and a limit but without resourceVersionMatch is
		// answered with exactly this version
		boolean exact = parameters.exact()
				|| (asked > Parameters.ANY && limit > 0 && !parameters.has("resourceVersionMatch"));
		CollectionState snapshot = exact ? this.store.at(type, asked) : this.store.current(type);
		if (snapshot == null) {
			throw ApiFailure.expired("The resourceVersion for the provided list is too old.");
		}
		// W-10: a list with version 0 is answered from the watch cache, which ignores the
		// limit
		CollectionState.Page page = snapshot.page(selection, "", (asked == Parameters.ANY) ? 0 : limit);
		if (asked == Parameters.ANY && this.options.has(ServerFeature.UNORDERED)) {
			page = page.unordered();
		}
		return ListBody
			.of(this.options, type, page, selection, exchange.representation(), this.options.clock().instant())
			.send(exchange);
	}

	private Publisher<Void> nextPage(ServerExchange exchange, ServedType type, Selection selection) {
		Parameters parameters = exchange.parameters();
		ContinueToken token = ContinueToken.parse(parameters.text("continue"));
		Instant now = this.options.clock().instant();
		boolean newest = token.resourceVersion() == Parameters.NEWEST;
		CollectionState snapshot = newest ? this.store.current(type) : consistent(type, token, now);
		if (snapshot == null) {
			throw ApiFailure.expiredToken(new ContinueToken(Parameters.NEWEST, token.after(), now).encode());
		}
		// W-10: a request with a resourceVersion is answered from the watch cache, which
		// ignores the limit
		long limit = parameters.has("resourceVersion") ? 0 : parameters.number("limit");
		CollectionState.Page page = snapshot.page(selection, token.after(), limit);
		return ListBody.of(this.options, type, page, selection, exchange.representation(), newest ? now : token.since())
			.send(exchange);
	}

	private @Nullable CollectionState consistent(ServedType type, ContinueToken token, Instant now) {
		checkReached(token.resourceVersion());
		boolean alive = Duration.between(token.since(), now).compareTo(this.options.continueTokenLife()) < 0;
		return alive ? this.store.at(type, token.resourceVersion()) : null;
	}

	/**
	 * Answers with one object, after the requested version was reached.
	 * @param exchange the request to answer
	 * @param type the type
	 * @param path the path of the object
	 * @return the answer
	 */
	public Publisher<Void> get(ServerExchange exchange, ServedType type, ApiPath path) {
		long asked = exchange.parameters().versionOfCache();
		if (!isReached(asked)) {
			return exchange.after(reached(asked, exchange), (later) -> found(later, type, path, asked));
		}
		return found(exchange, type, path, asked);
	}

	private Publisher<Void> found(ServerExchange exchange, ServedType type, ApiPath path, long asked) {
		checkReached(asked);
		ObjectRevision object = this.store.find(type, ObjectRevision.key(path.namespace(), path.name()));
		if (object == null) {
			throw ApiFailure.notFound(type, path.name());
		}
		return exchange.object(200, object);
	}

	public Publisher<Void> watch(ServerExchange exchange, ServedType type, String namespace) {
		Selection selection = Selection.of(type, namespace, exchange.parameters(),
				this.options.has(ServerFeature.SHARDING));
		WatchPlan plan = WatchPlan.of(exchange.parameters(), this.options, exchange.acceptsGzip());
		String contentType = exchange.representation().format().streamType();
		return exchange.stream(contentType, frames(exchange, type, selection, plan),
				plan.gzip() ? Gzip.EACH_CHUNK : null);
	}

	private Flux<ByteBuf> frames(ServerExchange exchange, ServedType type, Selection selection, WatchPlan plan) {
		Representation representation = exchange.representation();
		if (representation.view() == View.METADATA_LIST) {
			// as in real servers, the failure is noticed only when the first event is
			// written
			return Flux.just(Unpooled.EMPTY_BUFFER);
		}
		long asked = plan.resourceVersion();
		if (plan.needsVersion() && !isReached(asked)) {
			// the headers are sent before the wait for the version, so a failure of the
			// wait is reported in the stream
			return Flux.just(Unpooled.EMPTY_BUFFER)
				.concatWith(reached(asked, exchange)
					.thenMany(Flux.defer(() -> isReached(asked) ? open(exchange, type, selection, plan)
							: Flux.just(WatchFrame.error(tooLarge(asked)).toBuffer(representation)))));
		}
		return open(exchange, type, selection, plan);
	}

	private boolean isReached(long asked) {
		return asked <= this.store.resourceVersion();
	}

	/**
	 * Completes when a version is reached or the time limit has passed.
	 */
	private Mono<Void> reached(long asked, ServerExchange exchange) {
		return Flux.interval(LOOK, exchange.clock())
			.takeUntil((look) -> isReached(asked))
			.takeUntilOther(Mono.delay(this.options.versionTimeout(), exchange.clock()))
			.then();
	}

	private Flux<ByteBuf> open(ServerExchange exchange, ServedType type, Selection selection, WatchPlan plan) {
		return new ServedWatch(this.store, type, selection, exchange.representation(), exchange.channel()).open(plan);
	}

	private void checkReached(long asked) {
		if (!isReached(asked)) {
			throw tooLarge(asked);
		}
	}

	private ApiFailure tooLarge(long asked) {
		return ApiFailure.tooLargeResourceVersion(asked, this.store.resourceVersion());
	}

}
