package dev.reflector.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A source whose objects are changed by a {@link TransformFunction} before anyone sees
 * them.
 *
 * @param <T> the type of the objects
 */
final class TransformingListerWatcher<T> implements ListerWatcher<T> {

	private final ListerWatcher<T> source;

	private final TransformFunction<T> function;

	private final ResourceAccessor<T> accessor;

	TransformingListerWatcher(ListerWatcher<T> source, TransformFunction<T> function, ResourceAccessor<T> accessor) {
		this.source = source;
		this.function = function;
		this.accessor = accessor;
	}

	@Override
	public Mono<ListPage<T>> list(ListOptions options) {
		return this.source.list(options).map(this::transform);
	}

	private ListPage<T> transform(ListPage<T> page) {
		List<T> items = new ArrayList<>(page.items().size());
		List<SkippedObject> skipped = new ArrayList<>(page.skipped());
		for (T item : page.items()) {
			try {
				items.add(this.function.transform(item));
			}
			catch (RuntimeException ex) {
				skipped.add(skipped(item, ex));
			}
		}
		return new ListPage<>(items, page.resourceVersion(), page.continueToken(), skipped);
	}

	@Override
	public Mono<ListPage<ObjectVersion>> listVersions(ListOptions options) {
		return this.source.listVersions(options);
	}

	@Override
	public Flux<WatchEvent<T>> watch(WatchOptions options) {
		return this.source.watch(options).map(this::transform);
	}

	private WatchEvent<T> transform(WatchEvent<T> event) {
		if (event instanceof WatchEvent.Added<T> added) {
			return transform("ADDED", added.object(), WatchEvent.Added::new);
		}
		if (event instanceof WatchEvent.Modified<T> modified) {
			return transform("MODIFIED", modified.object(), WatchEvent.Modified::new);
		}
		if (event instanceof WatchEvent.Deleted<T> deleted) {
			return transform("DELETED", deleted.object(), WatchEvent.Deleted::new);
		}
		return event;
	}

	private WatchEvent<T> transform(String type, T object, Function<T, WatchEvent<T>> event) {
		T transformed;
		try {
			transformed = this.function.transform(object);
		}
		catch (RuntimeException ex) {
			return new WatchEvent.Skipped<>(type, skipped(object, ex));
		}
		return event.apply(transformed);
	}

	private SkippedObject skipped(T object, RuntimeException failure) {
		return new SkippedObject(this.accessor.key(object), this.accessor.resourceVersion(object),
				"the transformation has failed with " + failure.getClass().getName(),
				SkippedObject.Cause.TRANSFORMATION);
	}

	@Override
	public Mono<Void> awaitType() {
		return this.source.awaitType();
	}

	@Override
	public @Nullable String plural() {
		return this.source.plural();
	}

}
