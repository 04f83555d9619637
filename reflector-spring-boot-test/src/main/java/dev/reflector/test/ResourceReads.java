package dev.reflector.test;

import java.time.Duration;
import java.time.Instant;

import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * Answers lists and watches.
 */
final class ResourceReads {

	/** How long a list waits for a version that is yet to come. */
	private static final Duration PATIENCE = Duration.ofMillis(200);

	private final ObjectStore store;

	private final ServerOptions options;

	ResourceReads(ObjectStore store, ServerOptions options) {
		this.store = store;
		this.options = options;
	}

	Publisher<Void> list(Exchange exchange, ServedType type, String namespace) {
		exchange.representation().forList();
		Parameters parameters = exchange.parameters();
		parameters.checkList();
		Selection selection = Selection.of(namespace, parameters, this.options.has(ServerFeature.SHARDING));
		if (parameters.has("continue")) {
			return nextPage(exchange, type, selection);
		}
		long asked = parameters.resourceVersion();
		if (asked > this.store.resourceVersion()) {
			return exchange.later(PATIENCE, (later) -> firstPage(later, type, selection, asked));
		}
		return firstPage(exchange, type, selection, asked);
	}

	private Publisher<Void> firstPage(Exchange exchange, ServedType type, Selection selection, long asked) {
		checkReached(asked);
		Parameters parameters = exchange.parameters();
		long limit = parameters.number("limit");
		// W-10: a version with a limit and without a word on matching means that very
		// version
		boolean exact = parameters.exact()
				|| (asked > Parameters.ANY && limit > 0 && !parameters.has("resourceVersionMatch"));
		Snapshot snapshot = exact ? this.store.at(type, asked) : this.store.current(type);
		if (snapshot == null) {
			throw ApiFailure.expired("The resourceVersion for the provided list is too old.");
		}
		// W-10: the watch cache ignores the limit
		Snapshot.Page page = snapshot.page(selection, "", (asked == Parameters.ANY) ? 0 : limit);
		return ListBody
			.of(this.options, type, page, selection, exchange.representation(), this.options.clock().instant())
			.send(exchange);
	}

	private Publisher<Void> nextPage(Exchange exchange, ServedType type, Selection selection) {
		Parameters parameters = exchange.parameters();
		ContinueToken token = ContinueToken.parse(parameters.text("continue"));
		Instant now = this.options.clock().instant();
		boolean newest = token.resourceVersion() == Parameters.NEWEST;
		Snapshot snapshot = newest ? this.store.current(type) : consistent(type, token, now);
		if (snapshot == null) {
			throw ApiFailure.expiredToken(new ContinueToken(Parameters.NEWEST, token.after(), now).encode());
		}
		Snapshot.Page page = snapshot.page(selection, token.after(), parameters.number("limit"));
		return ListBody.of(this.options, type, page, selection, exchange.representation(), newest ? now : token.since())
			.send(exchange);
	}

	private @Nullable Snapshot consistent(ServedType type, ContinueToken token, Instant now) {
		checkReached(token.resourceVersion());
		boolean alive = Duration.between(token.since(), now).compareTo(this.options.continueTokenLife()) < 0;
		return alive ? this.store.at(type, token.resourceVersion()) : null;
	}

	Publisher<Void> watch(Exchange exchange, ServedType type, String namespace) {
		WatchPlan plan = WatchPlan.of(exchange.parameters(), this.options);
		Selection selection = Selection.of(namespace, exchange.parameters(), this.options.has(ServerFeature.SHARDING));
		if (plan.needsVersion() && plan.resourceVersion() > this.store.resourceVersion()) {
			return exchange.later(PATIENCE, (later) -> open(later, type, selection, plan));
		}
		return open(exchange, type, selection, plan);
	}

	private Publisher<Void> open(Exchange exchange, ServedType type, Selection selection, WatchPlan plan) {
		if (plan.needsVersion()) {
			checkReached(plan.resourceVersion());
		}
		Representation representation = exchange.representation();
		String contentType = representation.format().streamType();
		if (representation.view() == View.METADATA_LIST) {
			// real servers notice only when they write the first event
			return exchange.stream(contentType, Flux.just(Unpooled.EMPTY_BUFFER), null);
		}
		Watch watch = new Watch(this.store, type, selection, representation, exchange.channel());
		// W-62: only a watch that begins with the state is compressed
		boolean gzip = this.options.has(ServerFeature.GZIP_WATCHES) && plan.begin() == WatchPlan.Begin.STATE
				&& Gzip.accepted(exchange);
		return exchange.stream(contentType, watch.open(plan), gzip ? Gzip.EACH_CHUNK : null);
	}

	private void checkReached(long asked) {
		long current = this.store.resourceVersion();
		if (asked > current) {
			throw ApiFailure.tooLargeResourceVersion(asked, current);
		}
	}

}
