package dev.reflector.console;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.reflector.cache.source.DelegatingListerWatcher;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Notes the requests of a source in the journal.
 *
 * @param <T> the type of the objects
 */
final class JournaledListerWatcher<T> extends DelegatingListerWatcher<T> {

	private final Journal journal;

	private final ResourceAccessor<T> accessor;

	/** Lists in progress by namespace: one may have several pages. */
	private final Map<String, ListProgress> lists = new ConcurrentHashMap<>();

	private final Map<String, WatchEnds> ends = new ConcurrentHashMap<>();

	JournaledListerWatcher(ListerWatcher<T> delegate, Journal journal, ResourceAccessor<T> accessor) {
		super(delegate);
		this.journal = journal;
		this.accessor = accessor;
	}

	@Override
	public Mono<ListPage<T>> list(ListOptions options) {
		if (options.resourceVersionMatch() == ListOptions.ResourceVersionMatch.EXACT) {
			return super.list(options);
		}
		return Mono.defer(() -> {
			ListProgress progress = progress(options);
			return super.list(options).doOnNext((page) -> received(options, progress, page))
				.doOnError((error) -> failed(options, progress, error))
				.doOnCancel(() -> ended(options, progress, "given up"));
		});
	}

	private ListProgress progress(ListOptions options) {
		String scope = key(options.namespace());
		ListProgress present = this.lists.get(scope);
		if (present != null && !options.continueToken().isEmpty()) {
			return present;
		}
		if (present != null) {
			ended(options, present, "given up");
		}
		ListProgress next = new ListProgress(this.journal.listing(options.namespace()));
		this.lists.put(scope, next);
		return next;
	}

	private void received(ListOptions options, ListProgress progress, ListPage<T> page) {
		progress.items += page.items().size();
		progress.pages++;
		if (page.continueToken().isEmpty()) {
			ended(options, progress,
					progress.items + " objects, " + progress.pages + ((progress.pages == 1) ? " page" : " pages"));
		}
	}

	private void failed(ListOptions options, ListProgress progress, Throwable error) {
		ended(options, progress, this.journal.failed(options.namespace(), error));
	}

	private void ended(ListOptions options, ListProgress progress, String detail) {
		this.lists.remove(key(options.namespace()), progress);
		this.journal.timeline().end(progress.span, detail);
	}

	@Override
	public Flux<WatchEvent<T>> watch(WatchOptions options) {
		return Flux.defer(() -> new JournaledWatch<>(options, this.journal, this.accessor,
				this.ends.computeIfAbsent(key(options.namespace()), (scope) -> new WatchEnds()))
			.note(super.watch(options)));
	}

	private static String key(@Nullable String namespace) {
		return (namespace != null) ? namespace : "";
	}

	/** A list of which pages come. */
	private static final class ListProgress {

		private final Timeline.Entry span;

		private int items;

		private int pages;

		private ListProgress(Timeline.Entry span) {
			this.span = span;
		}

	}

	/** How the last watch of a namespace has ended. */
	static final class WatchEnds {

		private volatile boolean broken;

		void broken(boolean broken) {
			this.broken = broken;
		}

		boolean broken() {
			return this.broken;
		}

	}

}
