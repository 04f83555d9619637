package dev.reflector.cache;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Changes each object where it is read, which is the place to do so here.
 */
final class TransformingSource implements ListerWatcher<Thing> {

	private final ListerWatcher<Thing> source;

	private final UnaryOperator<Thing> transformation;

	/** How often each version of an object was transformed. */
	final Map<String, AtomicInteger> transformed = new ConcurrentHashMap<>();

	TransformingSource(ListerWatcher<Thing> source, UnaryOperator<Thing> transformation) {
		this.source = source;
		this.transformation = transformation;
	}

	private Thing transform(Thing thing) {
		this.transformed.computeIfAbsent(thing.toString(), (name) -> new AtomicInteger()).incrementAndGet();
		return this.transformation.apply(thing);
	}

	@Override
	public Mono<ListPage<Thing>> list(ListOptions options) {
		return this.source.list(options)
			.map((page) -> new ListPage<>(page.items().stream().map(this::transform).toList(), page.resourceVersion(),
					page.continueToken(), page.skipped()));
	}

	@Override
	public Flux<WatchEvent<Thing>> watch(WatchOptions options) {
		return this.source.watch(options).map((event) -> {
			if (event instanceof WatchEvent.Added<Thing> added) {
				return new WatchEvent.Added<>(transform(added.object()));
			}
			if (event instanceof WatchEvent.Modified<Thing> modified) {
				return new WatchEvent.Modified<>(transform(modified.object()));
			}
			return (event instanceof WatchEvent.Deleted<Thing> deleted)
					? new WatchEvent.Deleted<>(transform(deleted.object())) : event;
		});
	}

}
