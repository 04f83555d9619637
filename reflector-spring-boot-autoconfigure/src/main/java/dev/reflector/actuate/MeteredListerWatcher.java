package dev.reflector.actuate;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.reflector.cache.FormatFallbacks;
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
import reactor.util.context.Context;

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

	/** How many watches there are, by namespace: while one takes over, two. */
	private final Map<String, Integer> open = new ConcurrentHashMap<>();

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
		return this.delegate.list(options).contextWrite(this::counted);
	}

	@Override
	public Mono<ListPage<ObjectVersion>> listVersions(ListOptions options) {
		return this.delegate.listVersions(options).contextWrite(this::counted);
	}

	@Override
	public Flux<WatchEvent<T>> watch(WatchOptions options) {
		return Flux.defer(() -> {
			String scope = scope(options.namespace());
			Flux<WatchEvent<T>> watch = this.delegate.watch(options);
			this.open.merge(scope, 1, Integer::sum);
			WatchEnd before = this.last.remove(scope);
			if (before != null && !options.sendInitialEvents()) {
				this.meters.reconnecting(before);
			}
			Demand demand = new Demand(this.meters::blocked);
			AtomicBoolean over = new AtomicBoolean();
			// the end is noted before anyone can ask for the next watch
			return watch.contextWrite(this::counted)
				.doOnNext((event) -> next(event, scope, demand))
				.doOnRequest(demand::requested)
				.doOnComplete(() -> ended(scope, over, WatchEnd.ENDED))
				.doOnError((error) -> ended(scope, over, WatchEnd.FAILED))
				.doOnCancel(() -> ended(scope, over, WatchEnd.GIVEN_UP));
		});
	}

	private Context counted(Context context) {
		return FormatFallbacks.heardBy(ReceivedBytes.countedBy(context, this.meters::received),
				this.meters::formatRefused);
	}

	/** What is followed by a watch that is there already is no loss of a connection. */
	private void ended(String scope, AtomicBoolean over, WatchEnd end) {
		boolean last = over.compareAndSet(false, true)
				&& this.open.computeIfPresent(scope, (key, count) -> (count > 1) ? count - 1 : null) == null;
		if (last) {
			this.last.put(scope, end);
		}
	}

	private void next(WatchEvent<T> event, String scope, Demand demand) {
		demand.delivered();
		if (event instanceof WatchEvent.Bookmark<T>) {
			this.meters.bookmarked();
		}
		else if (this.open.getOrDefault(scope, 1) == 1) {
			// of two watches, one repeats what the other has delivered
			this.clock.arrived(event);
		}
	}

	private static String scope(@Nullable String namespace) {
		return (namespace != null) ? namespace : "";
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
