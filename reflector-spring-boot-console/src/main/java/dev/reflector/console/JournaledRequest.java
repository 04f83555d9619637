package dev.reflector.console;

import dev.reflector.cache.handler.ReflectorRequest;
import dev.reflector.cache.handler.ReflectorRequest.Kind;
import dev.reflector.cache.handler.RequestEnd;
import dev.reflector.cache.handler.RequestFailure;
import dev.reflector.cache.handler.RequestObserver;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.console.Timeline.MarkKind;
import dev.reflector.console.Timeline.SpanKind;
import org.jspecify.annotations.Nullable;

/**
 * Records one list or watch in the journal. A watch that begins with the full state is
 * recorded as a list until the full state has arrived.
 */
final class JournaledRequest implements RequestObserver {

	private final ReflectorRequest request;

	private final @Nullable String scope;

	private final Journal journal;

	private volatile Timeline.Entry span;

	private volatile long heardAt;

	private boolean initial;

	private long events;

	JournaledRequest(ReflectorRequest request, Journal journal) {
		this.request = request;
		this.scope = request.namespace();
		this.journal = journal;
		this.initial = request.kind() == Kind.STREAMED_LIST;
		this.heardAt = journal.now();
		this.span = (request.kind() == Kind.WATCH)
				? journal.timeline().request(SpanKind.WATCH, this.scope, "from version " + request.resourceVersion())
				: journal.listing(this.scope);
	}

	@Override
	public void received(long bytes) {
		this.heardAt = this.journal.now();
	}

	@Override
	public void opened() {
		RequestEnd.Reason before = this.request.after();
		if (before != null && before.isFailure()) {
			this.journal.timeline()
				.mark(MarkKind.RESUMED, this.scope, "from version " + this.request.resourceVersion());
		}
	}

	@Override
	public <T> void arrived(WatchEvent<T> event, ResourceAccessor<T> accessor) {
		if (event instanceof WatchEvent.Bookmark<T> bookmark) {
			bookmark(bookmark);
		}
		else if (!(event instanceof WatchEvent.Opened<T>) && !(event instanceof WatchEvent.Error<T>)) {
			this.events++;
			if (!this.initial) {
				this.journal.deliveries().arrived(event, accessor);
			}
		}
	}

	private void bookmark(WatchEvent.Bookmark<?> bookmark) {
		Timeline timeline = this.journal.timeline();
		if (this.initial && bookmark.initialEventsEnd()) {
			this.initial = false;
			timeline.end(this.span, this.events + " objects, streamed");
			this.events = 0;
			this.span = timeline.begin(SpanKind.WATCH, this.scope, "from version " + bookmark.resourceVersion());
		}
		else {
			timeline.mark(MarkKind.BOOKMARK, this.scope, "version " + bookmark.resourceVersion());
		}
	}

	@Override
	public void ended(RequestEnd end) {
		RequestFailure failure = end.failure();
		String failed = (failure != null) ? this.journal.failed(this.scope, failure) : null;
		if (this.request.kind() == Kind.LIST) {
			this.journal.timeline().end(this.span, (failed != null) ? failed : list(end));
			return;
		}
		String how = switch (end.reason()) {
			case ENDED -> "the server has ended it";
			case LOST -> "the connection was lost";
			case SILENT -> "timed out: nothing came";
			case MALFORMED -> "malformed data";
			case FAILED -> (failed != null) ? failed : "it has failed";
			case OVERDUE, REPLACED, GIVEN_UP -> "closed";
		};
		if (end.reason().isFailure() && failed == null) {
			this.journal.timeline().mark(MarkKind.ERROR, this.scope, how);
		}
		if (end.reason() == RequestEnd.Reason.SILENT) {
			this.journal.timeline().past(SpanKind.SILENCE, this.scope, this.heardAt, "nothing came");
		}
		this.journal.timeline().end(this.span, this.events + ((this.events == 1) ? " event; " : " events; ") + how);
	}

	private static String list(RequestEnd end) {
		return (end.reason() == RequestEnd.Reason.ENDED)
				? end.events() + " objects, " + end.pages() + ((end.pages() == 1) ? " page" : " pages") : "given up";
	}

}
