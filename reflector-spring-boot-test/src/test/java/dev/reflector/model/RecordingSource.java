package dev.reflector.model;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.reflector.cache.ApiException;
import dev.reflector.cache.ListOptions;
import dev.reflector.cache.ListPage;
import dev.reflector.cache.ListerWatcher;
import dev.reflector.cache.SkippedObject;
import dev.reflector.cache.Status;
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

	/**
	 * Less than the second that the reflector means (R-67): it begins to measure sooner
	 * and ends later than this.
	 */
	private static final Duration BRIEF = Duration.ofMillis(800);

	/**
	 * How much sooner, by the clock of the wall: between the two, a busy machine may do
	 * something else. The faster the reflector's time goes, the less this leaves of what
	 * is checked; what is checked for sure is at the speed of the wall.
	 */
	private static final Duration HELD_UP = Duration.ofMillis(100);

	private final ListerWatcher<Widget> source;

	private final TimeSource time;

	private final Duration backoff;

	private final int speed;

	/**
	 * How long a loop may take to hear of a command, behind slow listeners and on a busy
	 * machine.
	 */
	private static final Duration LATE = Duration.ofMillis(500);

	private final Map<String, Call> last = new HashMap<>();

	/** By loop, the times of the commands that nothing has come of yet. */
	private final Map<String, Deque<Long>> commands = new HashMap<>();

	private final Map<String, String> fullStates = new HashMap<>();

	private final Map<String, List<String>> tooSoon = new HashMap<>();

	private final List<Call> calls = new ArrayList<>();

	private final List<SkippedObject> skipped = new ArrayList<>();

	RecordingSource(ListerWatcher<Widget> source, Setup setup, TimeSource time) {
		this.speed = setup.speed();
		(setup.namespaces().isEmpty() ? List.of("null") : setup.namespaces())
			.forEach((loop) -> this.commands.put(loop, new ArrayDeque<>()));
		this.source = source;
		this.time = time;
		this.backoff = setup.backoff();
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
			.doOnError(ApiException.class, (ex) -> asked(call, ex.status(), ex.retryAfter()))
			.doOnTerminate(() -> end(call, true))
			.doOnCancel(() -> end(call, false));
	}

	@Override
	public Flux<WatchEvent<Widget>> watch(WatchOptions options) {
		Call call = begin(options.namespace(), options.sendInitialEvents() ? Kind.STREAM : Kind.WATCH,
				options.resourceVersion(), 0, false);
		return this.source.watch(options)
			.doOnNext((event) -> told(call, event))
			.doOnError(ApiException.class, (ex) -> asked(call, ex.status(), ex.retryAfter()))
			.doOnTerminate(() -> end(call, true))
			.doOnCancel(() -> end(call, false));
	}

	/**
	 * Notes that the reflector is told to do something that is not to wait, just before
	 * it is told: one request of each loop may come soon.
	 */
	synchronized void commanded() {
		long now = this.time.nanoTime();
		this.commands.values().forEach((commands) -> commands.add(now));
	}

	/** Whether a command came that may have ended the request, or the wait after it. */
	private boolean isCommanded(Call before) {
		Deque<Long> commands = this.commands.get(before.loop);
		long from = (before.answered ? before.ended : before.begun) - LATE.toNanos() * this.speed;
		commands.removeIf((command) -> command < from);
		return commands.poll() != null;
	}

	private synchronized Call begin(@Nullable String namespace, Kind kind, String version, int limit,
			boolean continued) {
		String loop = String.valueOf(namespace);
		Call before = latest(this.last.get(loop));
		Call call = new Call(loop, kind, version, limit, continued, this.time.nanoTime());
		if (continued && before != null) {
			call.version = before.version;
		}
		if (before != null && !mayFollow(before, call) && !isCommanded(before)) {
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
		if (since < before.retryAfter) {
			return false;
		}
		boolean overlap = before.kind != Kind.LIST && before.ended == 0 && call.kind == Kind.WATCH;
		boolean alone = before.beside == null || before.beside.ended != 0;
		if (since >= this.backoff.toNanos() || (overlap && alone && lasts(since, BRIEF.dividedBy(2)))) {
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
	private boolean lasted(long from, Call next) {
		return lasts(next.begun - from, BRIEF);
	}

	private boolean lasts(long nanos, Duration least) {
		return nanos + HELD_UP.toNanos() * this.speed >= least.toNanos();
	}

	private synchronized void listed(Call call, ListPage<Widget> page) {
		call.succeeded = true;
		fullState(call.loop, page.resourceVersion());
		this.skipped.addAll(page.skipped());
	}

	/** The server asks to come back later, and has said nothing else of use. */
	private synchronized void asked(Call call, Status status, Duration retryAfter) {
		if (status.isTooManyRequests() || (status.code() >= 500 && !status.isTooLargeResourceVersion())) {
			call.retryAfter = retryAfter.toNanos();
		}
	}

	private synchronized void told(Call call, WatchEvent<Widget> event) {
		if (event instanceof WatchEvent.Skipped<Widget> unread) {
			this.skipped.add(unread.object());
		}
		if (event instanceof WatchEvent.Error<Widget> error) {
			asked(call, error.status(), Duration.ofSeconds(error.status().retryAfterSeconds()));
		}
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

	private synchronized void end(Call call, boolean answered) {
		if (call.ended == 0) {
			call.ended = this.time.nanoTime();
			call.answered = answered;
		}
	}

	/** The newest version of which the full state came, empty when there was none. */
	synchronized String newestFullState(String namespace) {
		String all = this.fullStates.get("null");
		return (all != null) ? all : this.fullStates.getOrDefault(namespace, "");
	}

	/** Whether so many loops have all got their full state and are watching. */
	synchronized boolean follows(int loops) {
		return this.last.size() == loops && this.last.values()
			.stream()
			.allMatch((call) -> call.ended == 0
					&& (call.kind == Kind.WATCH || (call.kind == Kind.STREAM && call.succeeded)));
	}

	/** What came and could not be read. */
	synchronized List<SkippedObject> skipped() {
		return List.copyOf(this.skipped);
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

		private long retryAfter;

		private boolean succeeded;

		/** Whether it was not given up before its end. */
		private boolean answered;

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
