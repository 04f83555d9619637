package dev.reflector.autoconfigure.internal.connection;

import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.DelegatingListerWatcher;
import dev.reflector.cache.source.ListerWatcher;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Logs the missing permissions when the server forbids requests.
 *
 * @param <T> the type of the objects
 */
public final class AdvisedListerWatcher<T> extends DelegatingListerWatcher<T> {

	private final String name;

	private final PermissionAdvice advice;

	public AdvisedListerWatcher(ListerWatcher<T> delegate, String name, PermissionAdvice advice) {
		super(delegate);
		this.name = name;
		this.advice = advice;
	}

	@Override
	public @Nullable Mono<Void> awaitRecovery(Throwable failure) {
		// without a plural, the server has forbidden discovery, which these roles do not
		// grant
		if (failure instanceof ApiException answered && answered.status().code() == 403 && plural() != null) {
			this.advice.forbidden(this.name, answered);
		}
		return super.awaitRecovery(failure);
	}

}
