package dev.reflector.console;

import java.util.concurrent.atomic.AtomicBoolean;

import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.console.Timeline.MarkKind;
import dev.reflector.console.Timeline.SpanKind;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;

/**
 * Notes one watch in the journal. A watch that begins with the full state is a list until
 * that has come.
 *
 * @param <T> the type of the objects
 */
final class JournaledWatch<T> {

	private final WatchOptions options;

	private final Journal journal;

	private final ResourceAccessor<T> accessor;

	private final JournaledListerWatcher.WatchEnds ends;

	private final AtomicBoolean over = new AtomicBoolean();

	private volatile Timeline.Entry span;

	private volatile RequestListener.@Nullable BrokenAnswer broken;

	private volatile long heardAt;

	private volatile boolean initial;

	private long events;

	private boolean failed;

	JournaledWatch(WatchOptions options, Journal journal, ResourceAccessor<T> accessor,
			JournaledListerWatcher.WatchEnds ends) {
		this.options = options;
		this.journal = journal;
		this.accessor = accessor;
		this.ends = ends;
		this.initial = options.sendInitialEvents();
		this.heardAt = journal.now();
		this.span = this.initial ? journal.listing(options.namespace()) : journal.timeline()
			.request(SpanKind.WATCH, options.namespace(), "from version " + options.resourceVersion());
	}

	Flux<WatchEvent<T>> note(Flux<WatchEvent<T>> watch) {
		return watch.contextWrite(this::told)
			.doOnNext(this::next)
			.doOnComplete(() -> ended("the server has ended it"))
			.doOnError(this::failed)
			.doOnCancel(() -> ended("closed"));
	}

	private Context told(Context context) {
		return RequestListener.in(context, new RequestListener() {

			@Override
			public void received(long bytes) {
				JournaledWatch.this.heardAt = JournaledWatch.this.journal.now();
			}

			@Override
			public void broken(BrokenAnswer answer) {
				JournaledWatch.this.broken = answer;
			}

		});
	}

	private void next(WatchEvent<T> event) {
		Timeline timeline = this.journal.timeline();
		String scope = this.options.namespace();
		if (event instanceof WatchEvent.Opened<T>) {
			if (this.ends.broken() && !this.initial) {
				timeline.mark(MarkKind.RESUMED, scope, "from version " + this.options.resourceVersion());
			}
			this.ends.broken(false);
			return;
		}
		if (event instanceof WatchEvent.Bookmark<T> bookmark) {
			bookmark(bookmark, timeline, scope);
			return;
		}
		if (event instanceof WatchEvent.Error<T> error) {
			this.failed = true;
			this.journal.failed(scope, error.status());
			return;
		}
		this.events++;
		if (!this.initial) {
			this.journal.deliveries().arrived(event, this.accessor);
		}
	}

	private void bookmark(WatchEvent.Bookmark<T> bookmark, Timeline timeline, @Nullable String scope) {
		if (this.initial && bookmark.initialEventsEnd()) {
			this.initial = false;
			timeline.end(this.span, this.events + " objects, streamed");
			this.events = 0;
			this.span = timeline.begin(SpanKind.WATCH, scope, "from version " + bookmark.resourceVersion());
		}
		else {
			timeline.mark(MarkKind.BOOKMARK, scope, "version " + bookmark.resourceVersion());
		}
	}

	private void failed(Throwable error) {
		this.failed = true;
		ended(this.journal.failed(this.options.namespace(), error));
	}

	private void ended(String how) {
		if (!this.over.compareAndSet(false, true)) {
			return;
		}
		Timeline timeline = this.journal.timeline();
		String scope = this.options.namespace();
		RequestListener.BrokenAnswer answer = this.broken;
		String end = how;
		if (answer != null) {
			end = switch (answer) {
				case LOST -> "the connection was lost";
				case SILENT -> "timed out: nothing came";
				case MALFORMED -> "malformed data";
			};
			if (!this.failed) {
				timeline.mark(MarkKind.ERROR, scope, end);
			}
			if (answer == RequestListener.BrokenAnswer.SILENT) {
				timeline.past(SpanKind.SILENCE, scope, this.heardAt, "nothing came");
			}
		}
		this.ends.broken(answer != null || this.failed);
		timeline.end(this.span, this.events + ((this.events == 1) ? " event; " : " events; ") + end);
	}

}
