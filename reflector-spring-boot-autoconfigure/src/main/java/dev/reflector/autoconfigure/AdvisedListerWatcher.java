package dev.reflector.autoconfigure;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import dev.reflector.cache.ApiException;
import dev.reflector.cache.ListOptions;
import dev.reflector.cache.ListPage;
import dev.reflector.cache.ListerWatcher;
import dev.reflector.cache.ObjectVersion;
import dev.reflector.cache.WatchEvent;
import dev.reflector.cache.WatchOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Says once which permissions to grant when the server forbids a request.
 *
 * @param <T> the type of the objects
 */
final class AdvisedListerWatcher<T> implements ListerWatcher<T> {

	private static final Logger logger = LoggerFactory.getLogger(RbacManifest.class);

	private final ListerWatcher<T> delegate;

	private final String name;

	private final Supplier<String> permissions;

	private final AtomicBoolean told = new AtomicBoolean();

	AdvisedListerWatcher(ListerWatcher<T> delegate, String name, Supplier<String> permissions) {
		this.delegate = delegate;
		this.name = name;
		this.permissions = permissions;
	}

	@Override
	public Mono<ListPage<T>> list(ListOptions options) {
		return this.delegate.list(options).doOnError(ApiException.class, this::advise);
	}

	@Override
	public Mono<ListPage<ObjectVersion>> listVersions(ListOptions options) {
		return this.delegate.listVersions(options).doOnError(ApiException.class, this::advise);
	}

	@Override
	public Flux<WatchEvent<T>> watch(WatchOptions options) {
		return this.delegate.watch(options).doOnError(ApiException.class, this::advise);
	}

	@Override
	public Mono<Void> awaitType() {
		return this.delegate.awaitType();
	}

	@Override
	public boolean reusesHeldObjects() {
		return this.delegate.reusesHeldObjects();
	}

	@Override
	public @Nullable String plural() {
		return this.delegate.plural();
	}

	private void advise(ApiException ex) {
		// without a plural it was discovery that is forbidden, which no role is about
		if (ex.status().code() == 403 && plural() != null && this.told.compareAndSet(false, true)) {
			logger.atWarn()
				.addKeyValue("reflector", this.name)
				.addKeyValue("status", 403)
				.log("The server forbids what reflector '{}' needs. This allows all that the application mirrors:\n{}",
						this.name, this.permissions.get());
		}
	}

}
