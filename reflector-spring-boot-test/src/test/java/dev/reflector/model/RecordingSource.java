package dev.reflector.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.reflector.cache.ListOptions;
import dev.reflector.cache.ListPage;
import dev.reflector.cache.ListerWatcher;
import dev.reflector.cache.TimeSource;
import dev.reflector.cache.WatchEvent;
import dev.reflector.cache.WatchOptions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Stands between the reflector and its client and notes each request: when it was made,
 * when and how it ended. Requests are noted on the thread that makes them, and so their
 * distances are those of the reflector, without tolerance.
 */
final class RecordingSource implements ListerWatcher<Widget> {

	private static final Duration BRIEF = Duration.ofSeconds(1);

	private final ListerWatcher<Widget> source;

	private final TimeSource time;

	private final Duration backoff;

	private final Map<String, Call> last = new HashMap<>();

	private final Map<String, String> fullStates = new HashMap<>();

	private final Map<String, List<String>> tooSoon = new HashMap<>();

	private final List<Call> calls = new ArrayList<>();

	RecordingSource(ListerWatcher<Widget> source, TimeSource time, Duration backoff) {
		this.source = source;
		this.time = time;
		this.backoff = backoff;
	}

	@Override
	public @Nullable String plural() {
		return this.source.plural();
	}

	@Override
	public Mono<ListPage<Widget>> list(ListOptions options) {
		Call call = begin(options.namespace(), Kind.LIST, options.resourceVersion(), options.limit(),
				!options.continueToken().isEmpty());
		return this.source.list(options)
			.doOnNext((page) -> listed(call, page))
			.doOnTerminate(() -> end(call))
			.doOnCancel(() -> end(call));
	}

	@Override
	public Flux<WatchEvent<Widget>> watch(WatchOptions options) {
		Call call = begin(options.namespace(), options.sendInitialEvents() ? Kind.STREAM : Kind.WATCH,
				options.resourceVersion(), 0, false);
		return this.source.watch(options)
			.doOnNext((event) -> told(call, event))
			.doOnTerminate(() -> end(call))
			.doOnCancel(() -> end(call));
	}

	private synchronized Call begin(@Nullable String namespace, Kind kind, String version, int limit,
			boolean continued) {
		String loop = String.valueOf(namespace);
		Call before = latest(this.last.get(loop));
		Call call = new Call(loop, kind, version, limit, continued, this.time.nanoTime());
		if (continued && before != null) {
			call.version = before.version;
		}
		if (before != null && !mayFollow(before, call)) {
			this.tooSoon.computeIfAbsent(loop, (key) -> new ArrayList<>()).add(before + " -> " + call);
		}
		call.beside = (before != null && before.ended == 0) ? before : null;
		this.last.put(loop, call);
		this.calls.add(call);
		return call;
	}

	/** A watch that was to follow another may have failed before that one ended. */
	private static @Nullable Call latest(@Nullable Call call) {
		boolean outlived = call != null && call.ended != 0 && call.beside != null
				&& (call.beside.ended == 0 || call.beside.ended > call.ended);
		return outlived ? call.beside : call;
	}

	/** Which requests may follow at once, and which only after a delay (2.3). */
	private boolean mayFollow(Call before, Call call) {
		long since = call.begun - ((before.ended != 0) ? before.ended : before.begun);
		boolean overlap = before.kind != Kind.LIST && before.ended == 0 && call.kind == Kind.WATCH;
		if (since >= this.backoff.toNanos() || (overlap && since >= BRIEF.toNanos() / 2)) {
			return true;
		}
		return switch (before.kind) {
			case LIST -> before.succeeded ? (call.continued || call.kind == Kind.WATCH) : call.kind == Kind.LIST
					&& !call.continued
					&& ((before.continued && call.limit == 0) || (!before.version.isEmpty() && call.version.isEmpty()));
			case STREAM -> {
				if (before.succeeded) {
					// R-56: the clock of the watch starts with the end marker
					yield call.kind == Kind.WATCH && lasted(before.completeAt, call);
				}
				yield call.kind == Kind.LIST && !call.continued
						|| call.kind == Kind.STREAM && !before.version.isEmpty() && call.version.isEmpty();
			}
			case WATCH -> call.kind == Kind.WATCH && lasted(before.begun, call);
		};
	}

	/** By the time the reflector hears of its end, a watch may have lasted. */
	private static boolean lasted(long from, Call next) {
		return next.begun - from >= BRIEF.toNanos();
	}

	private synchronized void listed(Call call, ListPage<Widget> page) {
		call.succeeded = true;
		fullState(call.loop, page.resourceVersion());
	}

	private synchronized void told(Call call, WatchEvent<Widget> event) {
		if (call.kind == Kind.STREAM && event instanceof WatchEvent.Bookmark<Widget> bookmark
				&& bookmark.initialEventsEnd()) {
			call.succeeded = true;
			call.completeAt = this.time.nanoTime();
			fullState(call.loop, bookmark.resourceVersion());
		}
	}

	private void fullState(String loop, String version) {
		this.fullStates.merge(loop, version, (one, other) -> Versions.isAfter(one, other) ? one : other);
	}

	private synchronized void end(Call call) {
		if (call.ended == 0) {
			call.ended = this.time.nanoTime();
		}
	}

	/** The newest version of which the full state came, empty when there was none. */
	synchronized String newestFullState(String namespace) {
		String all = this.fullStates.get("null");
		return (all != null) ? all : this.fullStates.getOrDefault(namespace, "");
	}

	/** By loop, the requests that came sooner after another than the back-off allows. */
	synchronized Map<String, List<String>> tooSoon() {
		return Map.copyOf(this.tooSoon);
	}

	synchronized long lists() {
		return this.calls.stream().filter((call) -> call.kind == Kind.LIST).count();
	}

	synchronized long watches() {
		return this.calls.stream().filter((call) -> call.kind != Kind.LIST).count();
	}

	synchronized List<String> calls() {
		return this.calls.stream().map(Call::toString).toList();
	}

	private enum Kind {

		LIST, STREAM, WATCH

	}

	private static final class Call {

		private final String loop;

		private final Kind kind;

		private final int limit;

		private final boolean continued;

		private final long begun;

		private @Nullable Call beside;

		private String version;

		private long ended;

		private long completeAt;

		private boolean succeeded;

		Call(String loop, Kind kind, String version, int limit, boolean continued, long begun) {
			this.loop = loop;
			this.kind = kind;
			this.version = version;
			this.limit = limit;
			this.continued = continued;
			this.begun = begun;
		}

		@Override
		public String toString() {
			return this.kind + "(" + this.loop + "@" + this.version + (this.continued ? " continued" : "") + " at "
					+ this.begun / 1000 % 1_000_000_000 + " us"
					+ ((this.ended != 0) ? " for " + (this.ended - this.begun) / 1000 + " us" : "")
					+ (this.succeeded ? " succeeded)" : ")");
		}

	}

}
