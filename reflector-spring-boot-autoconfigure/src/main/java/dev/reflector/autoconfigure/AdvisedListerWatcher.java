package dev.reflector.autoconfigure;

import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Has the permissions named that are missing, when the server goes on to forbid requests.
 *
 * @param <T> the type of the objects
 */
final class AdvisedListerWatcher<T> implements ListerWatcher<T> {

	private final ListerWatcher<T> delegate;

	private final String name;

	private final PermissionAdvice advice;

	AdvisedListerWatcher(ListerWatcher<T> delegate, String name, PermissionAdvice advice) {
		this.delegate = delegate;
		this.name = name;
		this.advice = advice;
	}

	@Override
	public Mono<ListPage<T>> list(ListOptions options) {
		return this.delegate.list(options);
	}

	@Override
	public Mono<ListPage<ObjectVersion>> listVersions(ListOptions options) {
		return this.delegate.listVersions(options);
	}

	@Override
	public Flux<WatchEvent<T>> watch(WatchOptions options) {
		return this.delegate.watch(options);
	}

	@Override
	public Mono<Void> awaitType() {
		return this.delegate.awaitType();
	}

	@Override
	public @Nullable Mono<Void> awaitRecovery(Throwable failure) {
		// without a plural it was discovery that is forbidden, which no role is about
		if (failure instanceof ApiException answered && answered.status().code() == 403 && plural() != null) {
			this.advice.forbidden(this.name, answered);
		}
		return this.delegate.awaitRecovery(failure);
	}

	@Override
	public boolean reusesHeldObjects() {
		return this.delegate.reusesHeldObjects();
	}

	@Override
	public @Nullable String plural() {
		return this.delegate.plural();
	}

	@Override
	public String labelSelector() {
		return this.delegate.labelSelector();
	}

	@Override
	public String fieldSelector() {
		return this.delegate.fieldSelector();
	}

}
