package dev.reflector.actuate.tracing;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import dev.reflector.cache.source.DelegatingListerWatcher;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import io.micrometer.observation.Observation;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Observes each page of a list, and each streamed list from its beginning to its end. It
 * does not observe watches, because they have no result.
 *
 * @param <T> the type of the objects
 */
final class ObservedListerWatcher<T> extends DelegatingListerWatcher<T> {

	private final Function<Boolean, Observation> observations;

	private final ObservationGuard guard;

	ObservedListerWatcher(ListerWatcher<T> delegate, Function<Boolean, Observation> observations,
			ObservationGuard guard) {
		super(delegate);
		this.observations = observations;
		this.guard = guard;
	}

	@Override
	public Mono<ListPage<T>> list(ListOptions options) {
		return Mono.defer(() -> {
			Observation observation = this.guard.start(() -> this.observations.apply(false));
			return super.list(options).doOnError((error) -> this.guard.run(() -> observation.error(error)))
				.doFinally((signal) -> this.guard.run(observation::stop))
				.contextWrite((context) -> within(observation, context));
		});
	}

	@Override
	public Flux<WatchEvent<T>> watch(WatchOptions options) {
		return options.sendInitialEvents() ? Flux.defer(() -> streamed(options)) : super.watch(options);
	}

	private Flux<WatchEvent<T>> streamed(WatchOptions options) {
		Observation observation = this.guard.start(() -> this.observations.apply(true));
		AtomicBoolean stopped = new AtomicBoolean();
		return super.watch(options).doOnNext((event) -> {
			if (event instanceof WatchEvent.Bookmark<T> bookmark && bookmark.initialEventsEnd()) {
				stop(observation, stopped);
			}
		}).doOnError((error) -> {
			if (!stopped.get()) {
				this.guard.run(() -> observation.error(error));
			}
		}).doFinally((signal) -> stop(observation, stopped)).contextWrite((context) -> within(observation, context));
	}

	private void stop(Observation observation, AtomicBoolean stopped) {
		if (stopped.compareAndSet(false, true)) {
			this.guard.run(observation::stop);
		}
	}

	private static Context within(Observation observation, Context context) {
		return context.put(ObservationThreadLocalAccessor.KEY, observation);
	}

}
