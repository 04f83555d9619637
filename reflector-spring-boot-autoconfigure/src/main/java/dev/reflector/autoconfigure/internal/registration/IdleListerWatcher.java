package dev.reflector.autoconfigure.internal.registration;

import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The source of a reflector that will not be started. Each list and each watch fails.
 *
 * @param <T> the type of the objects
 */
final class IdleListerWatcher<T> implements ListerWatcher<T> {

	private final String reason;

	IdleListerWatcher(String reason) {
		this.reason = reason;
	}

	@Override
	public Mono<ListPage<T>> list(ListOptions options) {
		return Mono.error(this::failure);
	}

	@Override
	public Flux<WatchEvent<T>> watch(WatchOptions options) {
		return Flux.error(this::failure);
	}

	private IllegalStateException failure() {
		return new IllegalStateException(this.reason);
	}

}
