package dev.reflector.autoconfigure;

import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.DelegatingListerWatcher;
import dev.reflector.cache.source.ListerWatcher;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Has the permissions named that are missing, when the server goes on to forbid requests.
 *
 * @param <T> the type of the objects
 */
final class AdvisedListerWatcher<T> extends DelegatingListerWatcher<T> {

	private final String name;

	private final PermissionAdvice advice;

	AdvisedListerWatcher(ListerWatcher<T> delegate, String name, PermissionAdvice advice) {
		super(delegate);
		this.name = name;
		this.advice = advice;
	}

	@Override
	public @Nullable Mono<Void> awaitRecovery(Throwable failure) {
		// without a plural it was discovery that is forbidden, which no role is about
		if (failure instanceof ApiException answered && answered.status().code() == 403 && plural() != null) {
			this.advice.forbidden(this.name, answered);
		}
		return super.awaitRecovery(failure);
	}

}
