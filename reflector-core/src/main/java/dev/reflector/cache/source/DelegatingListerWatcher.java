package dev.reflector.cache.source;

import dev.reflector.ReflectorStatus;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Passes every call on to another source. To change or measure some calls, extend this
 * class and override the methods of these calls. A subclass that replaces the objects of
 * the other source by new objects must also override {@link #reusesCachedObjects()} to
 * return {@code false}.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public abstract class DelegatingListerWatcher<T> implements ListerWatcher<T> {

	private final ListerWatcher<T> delegate;

	/**
	 * Creates a source in front of another one.
	 * @param delegate the source that receives the calls
	 */
	protected DelegatingListerWatcher(ListerWatcher<T> delegate) {
		this.delegate = delegate;
	}

	ListerWatcher<T> delegate() {
		return this.delegate;
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
		return this.delegate.awaitRecovery(failure);
	}

	@Override
	public boolean reusesCachedObjects() {
		return this.delegate.reusesCachedObjects();
	}

	@Override
	public boolean watchesOverlap() {
		return this.delegate.watchesOverlap();
	}

	@Override
	public boolean isSame(T held, T received) {
		return this.delegate.isSame(held, received);
	}

	@Override
	public boolean versionsOutliveProcess() {
		return this.delegate.versionsOutliveProcess();
	}

	@Override
	public Mono<String> serverIdentity() {
		return this.delegate.serverIdentity();
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

	@Override
	public ReflectorStatus.@Nullable Shard shard() {
		return this.delegate.shard();
	}

}
