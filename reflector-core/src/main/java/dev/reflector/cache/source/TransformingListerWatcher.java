package dev.reflector.cache.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import dev.reflector.PrintableText;
import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A source whose objects are changed by a {@link TransformFunction} before the engine
 * receives them.
 *
 * @param <T> the type of the objects
 */
final class TransformingListerWatcher<T> extends DelegatingListerWatcher<T> {

	private static final Logger logger = LoggerFactory.getLogger(TransformingListerWatcher.class);

	private final TransformFunction<T> function;

	private final ResourceAccessor<T> accessor;

	TransformingListerWatcher(ListerWatcher<T> source, TransformFunction<T> function, ResourceAccessor<T> accessor) {
		super(source);
		this.function = function;
		this.accessor = accessor;
	}

	@Override
	public Mono<ListPage<T>> list(ListOptions options) {
		return Mono.deferContextual((context) -> {
			CachedObjects<T> known = CachedObjects.of(context);
			return super.list(options).map((page) -> transform(page, known));
		});
	}

	private ListPage<T> transform(ListPage<T> page, @Nullable CachedObjects<T> known) {
		List<T> items = new ArrayList<>(page.items().size());
		List<SkippedObject> skipped = new ArrayList<>(page.skipped());
		List<Integer> sizes = new ArrayList<>(page.sizes().size());
		for (int i = 0; i < page.items().size(); i++) {
			T item = page.items().get(i);
			try {
				items.add(isKnown(item, known) ? item : transform(item));
				if (!page.sizes().isEmpty()) {
					sizes.add(page.size(i));
				}
			}
			catch (RuntimeException | Error ex) {
				JvmFailureException.rethrow(ex);
				skipped.add(skipped(item, ex));
			}
		}
		return new ListPage<>(items, page.resourceVersion(), page.continueToken(), skipped, page.shardSelector(),
				sizes);
	}

	@Override
	public Flux<WatchEvent<T>> watch(WatchOptions options) {
		return Flux.deferContextual((context) -> {
			CachedObjects<T> known = CachedObjects.of(context);
			return super.watch(options).map((event) -> transform(event, known));
		});
	}

	/** Whether an object comes from the mirror, and so is already transformed. */
	private boolean isKnown(T object, @Nullable CachedObjects<T> known) {
		try {
			return known != null && known.find(this.accessor.key(object), this.accessor.uid(object),
					this.accessor.resourceVersion(object)) == object;
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			// the object has no key yet: the function may add one
			return false;
		}
	}

	private WatchEvent<T> transform(WatchEvent<T> event, @Nullable CachedObjects<T> known) {
		if (event instanceof WatchEvent.Added<T> added) {
			return transform("ADDED", added.object(), known, (object) -> new WatchEvent.Added<>(object, added.size()));
		}
		if (event instanceof WatchEvent.Modified<T> modified) {
			return transform("MODIFIED", modified.object(), known,
					(object) -> new WatchEvent.Modified<>(object, modified.size()));
		}
		if (event instanceof WatchEvent.Deleted<T> deleted) {
			return transform("DELETED", deleted.object(), null, WatchEvent.Deleted::new);
		}
		return event;
	}

	private WatchEvent<T> transform(String type, T object, @Nullable CachedObjects<T> known,
			Function<T, WatchEvent<T>> event) {
		T transformed;
		try {
			transformed = isKnown(object, known) ? object : transform(object);
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			return new WatchEvent.Skipped<>(type, skipped(object, ex));
		}
		return event.apply(transformed);
	}

	private T transform(T object) {
		return Objects.requireNonNull(this.function.transform(object));
	}

	private SkippedObject skipped(T object, Throwable failure) {
		ResourceKey key = null;
		String version = "";
		try {
			key = this.accessor.key(object);
			version = this.accessor.resourceVersion(object);
		}
		catch (RuntimeException | Error ex) {
			JvmFailureException.rethrow(ex);
			// the object has no key or version, because the function that adds them has
			// failed
		}
		if (logger.isDebugEnabled()) {
			StackTraceElement[] trace = failure.getStackTrace();
			// logs no message, because it may quote the object
			logger.debug("The transformation has thrown {}{} for the object {}", failure.getClass().getName(),
					(trace.length > 0) ? " at " + trace[0] : "", PrintableText.of(key));
		}
		return new SkippedObject(key, version, "the transformation has failed with " + failure.getClass().getName(),
				SkippedObject.Cause.TRANSFORMATION);
	}

}
