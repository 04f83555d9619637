package dev.reflector.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.handler.ReflectorRequest;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.handler.RequestEnd;
import dev.reflector.cache.handler.RequestObserver;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.model.Call.Kind;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Stands between the reflector and its client and records each request: when it was made,
 * when and how it ended. Each loop sends its requests, and reports the watches that it
 * gives up, on its own thread. So the recorded times are those that the loop has used,
 * and the check needs no tolerance. The record of a request is in the context in which
 * the client sends it.
 */
final class RecordingSource implements ListerWatcher<Widget>, ReflectorObserver {

	private final ListerWatcher<Widget> source;

	private final ScaledTime time;

	private final Distances distances;

	private final ThreadLocal<@Nullable LoopRecord> record = new ThreadLocal<>();

	private final List<LoopRecord> records = new ArrayList<>();

	/** By loop, the record of its current run. */
	private final Map<String, LoopRecord> present = new HashMap<>();

	/** By loop, how often its next request may still come at once after a pause. */
	private final Map<String, Integer> resumes = new HashMap<>();

	/** By loop, how many requested lists it has not begun. */
	private final Map<String, Integer> relists = new HashMap<>();

	private final Map<String, String> fullStates = new HashMap<>();

	private final List<String> tooSoon = new ArrayList<>();

	private final List<Call> calls = new ArrayList<>();

	private final List<SkippedObject> skipped = new ArrayList<>();

	RecordingSource(ListerWatcher<Widget> source, Setup setup, ScaledTime time) {
		this.source = source;
		this.time = time;
		this.distances = new Distances(setup.backoff(), setup.options().watch().watchOverlap(), setup.clientGo());
		(setup.namespaces().isEmpty() ? List.of("null") : setup.namespaces()).forEach((loop) -> {
			this.resumes.put(loop, 0);
			this.relists.put(loop, 0);
		});
	}

	@Override
	public @Nullable String plural() {
		return this.source.plural();
	}

	@Override
	public boolean reusesCachedObjects() {
		return this.source.reusesCachedObjects();
	}

	@Override
	public Mono<ListPage<Widget>> list(ListOptions options) {
		Call call = begin(options.namespace(), Kind.LIST, options.resourceVersion(), options.limit(),
				!options.continueToken().isEmpty(), Duration.ZERO);
		return this.source.list(options)
			.doOnNext((page) -> listed(call, page))
			.doOnError((error) -> failed(call, error))
			.doOnTerminate(() -> end(call, true))
			.doOnCancel(() -> end(call, false))
			.contextWrite((context) -> context.put(Call.class, call));
	}

	@Override
	public Flux<WatchEvent<Widget>> watch(WatchOptions options) {
		Call call = begin(options.namespace(), options.sendInitialEvents() ? Kind.STREAM : Kind.WATCH,
				options.resourceVersion(), 0, false, options.timeout());
		return this.source.watch(options)
			.doOnNext((event) -> told(call, event))
			.doOnError((error) -> failed(call, error))
			.doOnTerminate(() -> end(call, true))
			.doOnCancel(() -> end(call, false))
			.contextWrite((context) -> context.put(Call.class, call));
	}

	private synchronized Call begin(@Nullable String namespace, Kind kind, String version, int limit, boolean continued,
			Duration timeout) {
		String loop = String.valueOf(namespace);
		LoopRecord record = record(loop);
		Call call = new Call(loop, kind, version, limit, continued, timeout, this.time.lastRead());
		boolean again = record.readsAgain(call);
		Object before = record.asks(call);
		call.coverage = record.coverage();
		call.coverage.asks(call);
		if (before != null && !(again && takes(this.relists, loop)) && !takes(this.resumes, loop)) {
			this.tooSoon.add(before + " -> " + call);
		}
		this.calls.add(call);
		return call;
	}

	private LoopRecord record(String loop) {
		LoopRecord record = this.record.get();
		if (record == null) {
			record = new LoopRecord(loop, this.distances);
			this.record.set(record);
			this.records.add(record);
			this.present.put(loop, record);
		}
		return record;
	}

	/**
	 * Records a resume after a pause: one request of each loop may come without a delay.
	 * When the loop handles the resume is not known.
	 */
	synchronized void resumed() {
		this.resumes.replaceAll((loop, times) -> times + 1);
	}

	/**
	 * Records that a list is asked for. A loop that is receiving a full state may have
	 * taken held objects into it, and reads it again at once.
	 */
	synchronized void relistRequested() {
		this.relists.replaceAll((loop, times) -> times + 1);
	}

	/** Records that all loops have handled their resumes and requested lists. */
	synchronized void requestsAreOver() {
		this.resumes.replaceAll((loop, times) -> 0);
		this.relists.replaceAll((loop, times) -> 0);
	}

	private static boolean takes(Map<String, Integer> times, String loop) {
		int left = times.getOrDefault(loop, 0);
		times.put(loop, Math.max(0, left - 1));
		return left > 0;
	}

	/** A loop begins a requested list. */
	@Override
	public synchronized void relisting(RelistReason reason) {
		if (reason == RelistReason.REQUESTED) {
			LoopRecord record = this.record.get();
			if (record != null) {
				record.told();
				takes(this.relists, record.loop());
			}
		}
	}

	/** A loop makes a request. */
	@Override
	public RequestObserver requested(ReflectorRequest request) {
		boolean watch = request.kind() == ReflectorRequest.Kind.WATCH
				|| request.kind() == ReflectorRequest.Kind.STREAMED_LIST;
		return !watch ? RequestObserver.NONE : new RequestObserver() {

			@Override
			public void ended(RequestEnd end) {
				watched(end.duration());
			}

		};
	}

	/** Records that a loop gives up a watch. */
	synchronized void watched(Duration duration) {
		LoopRecord record = this.record.get();
		if (record != null) {
			record.leaves(this.time.lastRead(), duration);
		}
	}

	/** Records that a loop has taken a full state. */
	@Override
	public synchronized void listed(Duration duration, int objects, int pages) {
		LoopRecord record = this.record.get();
		Call stream = (record != null) ? record.takesFullState(this.time.lastRead()) : null;
		if (stream != null) {
			stream.coverage.streamed(stream.marked);
			fullState(stream.loop, stream.marked);
		}
	}

	@Override
	public synchronized void handedOver() {
		LoopRecord record = this.record.get();
		if (record != null) {
			record.handsOver();
		}
	}

	private synchronized void listed(Call call, ListPage<Widget> page) {
		call.succeeded = true;
		fullState(call.loop, page.resourceVersion());
		this.skipped.addAll(page.skipped());
	}

	private synchronized void failed(Call call, Throwable error) {
		fails(call);
		if (error instanceof ApiException answer) {
			answered(call, answer.status(), answer.retryAfter());
		}
	}

	private void fails(Call call) {
		if (call.failed == 0) {
			call.failed = this.time.present();
		}
	}

	/** Records the delay that the server asks for, and the kind of its refusal. */
	private void answered(Call call, Status status, Duration retryAfter) {
		call.refused = status.isTooManyRequests();
		call.unavailable = status.isExpired() || status.isTooLargeResourceVersion();
		if (call.refused || (status.code() >= 500 && !status.isTooLargeResourceVersion())) {
			call.notBefore = this.time.present() + retryAfter.toNanos();
		}
	}

	private synchronized void told(Call call, WatchEvent<Widget> event) {
		if (event instanceof WatchEvent.Error<Widget> error) {
			fails(call);
			answered(call, error.status(), Duration.ofSeconds(error.status().retryAfterSeconds()));
			return;
		}
		call.told = call.told || !(event instanceof WatchEvent.Opened<Widget>);
		if (event instanceof WatchEvent.Skipped<Widget> unread) {
			this.skipped.add(unread.object());
		}
		if (call.kind == Kind.STREAM && event instanceof WatchEvent.Bookmark<Widget> bookmark
				&& bookmark.initialEventsEnd()) {
			call.marked = call.marked.isEmpty() ? bookmark.resourceVersion() : call.marked;
		}
	}

	private void fullState(String loop, String version) {
		this.fullStates.merge(loop, version, (one, other) -> Versions.isAfter(one, other) ? one : other);
	}

	private synchronized void end(Call call, boolean answered) {
		if (call.ended == 0) {
			call.ended = this.time.present();
			call.answered = answered;
		}
	}

	/** Returns the version of the newest full state, empty if there was none. */
	synchronized String newestFullState(String namespace) {
		String all = this.fullStates.get("null");
		return (all != null) ? all : this.fullStates.getOrDefault(namespace, "");
	}

	/** Whether a loop claims to have got a change from a watch, not by a full state. */
	synchronized boolean claims(String namespace, String version) {
		return this.records.stream()
			.filter((record) -> record.isOf("null") || record.isOf(namespace))
			.anyMatch((record) -> record.coverage().includes(version));
	}

	/** Whether so many loops have all got their full state and are watching. */
	synchronized boolean follows(int loops) {
		return this.present.size() == loops && this.present.values().stream().allMatch(LoopRecord::follows);
	}

	/** The objects that could not be read. */
	synchronized List<SkippedObject> skipped() {
		return List.copyOf(this.skipped);
	}

	/** The requests that came sooner after another than the back-off allows. */
	synchronized List<String> tooSoon() {
		return List.copyOf(this.tooSoon);
	}

	/** The number of requests before which a delay was due. */
	synchronized int kept() {
		return this.records.stream().mapToInt(LoopRecord::kept).sum();
	}

	/** The requests that have neither ended nor been given up. */
	synchronized List<String> open() {
		return this.calls.stream().filter((call) -> call.ended == 0).map(Call::toString).toList();
	}

	synchronized List<String> calls() {
		return this.calls.stream().map(Call::toString).toList();
	}

}
