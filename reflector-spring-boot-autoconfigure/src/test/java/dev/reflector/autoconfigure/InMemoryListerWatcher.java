package dev.reflector.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;

/**
 * A collection in memory. What it holds at first has the version 10.
 *
 * @param <T> the type of the objects
 */
final class InMemoryListerWatcher<T> implements ListerWatcher<T> {

	private final List<T> initial;

	private Mono<Long> gate = Mono.empty();

	private final Set<FluxSink<WatchEvent<T>>> watches = new LinkedHashSet<>();

	InMemoryListerWatcher(List<T> initial) {
		this.initial = List.copyOf(initial);
	}

	/**
	 * Lets all requests wait.
	 * @param condition until it holds; asked now and then
	 */
	void holdUntil(BooleanSupplier condition) {
		this.gate = Flux.interval(Duration.ZERO, Duration.ofMillis(10))
			.onBackpressureDrop()
			.filter((tick) -> condition.getAsBoolean())
			.next();
	}

	@Override
	public Mono<ListPage<T>> list(ListOptions options) {
		return this.gate.thenReturn(new ListPage<>(this.initial, "10", "", List.of()));
	}

	@Override
	public Flux<WatchEvent<T>> watch(WatchOptions options) {
		return this.gate.thenMany(Flux.create((sink) -> open(sink, options.sendInitialEvents())));
	}

	private synchronized void open(FluxSink<WatchEvent<T>> sink, boolean sendInitialEvents) {
		if (sendInitialEvents) {
			this.initial.forEach((object) -> sink.next(new WatchEvent.Added<>(object)));
			sink.next(new WatchEvent.Bookmark<>("10", true));
		}
		this.watches.add(sink);
		sink.onDispose(() -> close(sink));
	}

	private synchronized void close(FluxSink<WatchEvent<T>> sink) {
		this.watches.remove(sink);
	}

	synchronized void emit(WatchEvent<T> event) {
		new ArrayList<>(this.watches).forEach((sink) -> sink.next(event));
	}

	synchronized int watches() {
		return this.watches.size();
	}

}
