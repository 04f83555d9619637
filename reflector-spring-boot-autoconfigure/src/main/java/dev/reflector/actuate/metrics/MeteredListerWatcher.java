package dev.reflector.actuate.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.source.DelegatingListerWatcher;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Measures the requests of a source: bytes, bookmarks, malformed answers, reconnects of
 * watches, and the time in which a watch was not read.
 *
 * @param <T> the type of the objects
 */
final class MeteredListerWatcher<T> extends DelegatingListerWatcher<T> {

	private final MeterObserver meters;

	private final DeliveryClock<T> clock;

	private final TimeSource time;

	private final Map<String, WatchHistory> histories = new ConcurrentHashMap<>();

	MeteredListerWatcher(ListerWatcher<T> delegate, MeterObserver meters, DeliveryClock<T> clock, TimeSource time) {
		super(delegate);
		this.meters = meters;
		this.clock = clock;
		this.time = time;
	}

	@Override
	public Mono<ListPage<T>> list(ListOptions options) {
		if (options.resourceVersionMatch() != ListOptions.ResourceVersionMatch.EXACT) {
			history(options.namespace()).listing(options.continueToken().isEmpty());
		}
		return super.list(options).contextWrite(this::told);
	}

	@Override
	public Mono<ListPage<ObjectVersion>> listVersions(ListOptions options) {
		return super.listVersions(options).contextWrite(this::told);
	}

	private Context told(Context context) {
		return RequestListener.in(context, this.meters.counting((answer) -> {
			if (answer == RequestListener.BrokenAnswer.MALFORMED) {
				this.meters.malformed(ObservedMeters.Request.LIST);
			}
		}));
	}

	@Override
	public Flux<WatchEvent<T>> watch(WatchOptions options) {
		return Flux.defer(() -> {
			Flux<WatchEvent<T>> watch = super.watch(options);
			return new MeteredWatch<>(history(options.namespace()), options.sendInitialEvents(), this.meters,
					this.clock, this.time)
				.measure(watch);
		});
	}

	private WatchHistory history(@Nullable String namespace) {
		return this.histories.computeIfAbsent((namespace != null) ? namespace : "",
				(name) -> new WatchHistory(this.time));
	}

}
