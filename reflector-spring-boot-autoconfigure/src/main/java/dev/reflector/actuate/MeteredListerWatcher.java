package dev.reflector.actuate;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.reflector.cache.ListOptions;
import dev.reflector.cache.ListPage;
import dev.reflector.cache.ListerWatcher;
import dev.reflector.cache.ObjectVersion;
import dev.reflector.cache.ReceivedBytes;
import dev.reflector.cache.WatchEvent;
import dev.reflector.cache.WatchOptions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/**
 * Counts what goes through a source: bytes, bookmarks, watches that follow upon watches,
 * and the time in which a watch was not read.
 *
 * @param <T> the type of the objects
 */
final class MeteredListerWatcher<T> implements ListerWatcher<T> {

	private final ListerWatcher<T> delegate;

	private final MeterObserver meters;

	private final DeliveryClock<T> clock;

	/** How the last watch has ended, by namespace, unless a list was asked for since. */
	private final Map<String, WatchEnd> last = new ConcurrentHashMap<>();

	MeteredListerWatcher(ListerWatcher<T> delegate, MeterObserver meters, DeliveryClock<T> clock) {
		this.delegate = delegate;
		this.meters = meters;
		this.clock = clock;
	}

	@Override
	public Mono<ListPage<T>> list(ListOptions options) {
		if (!options.exact()) {
			this.last.remove(scope(options.namespace()));
		}
		return this.delegate.list(options)
			.contextWrite((context) -> ReceivedBytes.countedBy(context, this.meters::received));
	}

	@Override
	public Mono<ListPage<ObjectVersion>> listVersions(ListOptions options) {
		return this.delegate.listVersions(options)
			.contextWrite((context) -> ReceivedBytes.countedBy(context, this.meters::received));
	}

	@Override
	public Flux<WatchEvent<T>> watch(WatchOptions options) {
		return Flux.defer(() -> {
			WatchEnd before = this.last.remove(scope(options.namespace()));
			if (before != null && !options.sendInitialEvents()) {
				this.meters.reconnecting(before);
			}
			Demand demand = new Demand(this.meters::blocked);
			return this.delegate.watch(options)
				.contextWrite((context) -> ReceivedBytes.countedBy(context, this.meters::received))
				.doOnNext((event) -> next(event, demand))
				.doOnRequest(demand::requested)
				.doFinally((signal) -> this.last.put(scope(options.namespace()), end(signal)));
		});
	}

	private void next(WatchEvent<T> event, Demand demand) {
		demand.delivered();
		if (event instanceof WatchEvent.Bookmark<T>) {
			this.meters.bookmarked();
		}
		else {
			this.clock.arrived(event);
		}
	}

	private static String scope(@Nullable String namespace) {
		return (namespace != null) ? namespace : "";
	}

	private static WatchEnd end(SignalType signal) {
		return switch (signal) {
			case ON_COMPLETE -> WatchEnd.ENDED;
			case ON_ERROR -> WatchEnd.FAILED;
			default -> WatchEnd.GIVEN_UP;
		};
	}

	@Override
	public Mono<Void> awaitType() {
		return this.delegate.awaitType();
	}

	@Override
	public @Nullable String plural() {
		return this.delegate.plural();
	}

	/** How a watch has ended. */
	enum WatchEnd {

		/** By the server, or because the connection was lost. */
		ENDED,

		/** With an error. */
		FAILED,

		/** By us. */
		GIVEN_UP

	}

}
