package dev.reflector.console;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.reflector.ConsistencyReport;
import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceKey;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.handler.ReflectorRequest;
import dev.reflector.cache.handler.RequestFailure;
import dev.reflector.cache.handler.RequestObserver;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.Status;
import dev.reflector.console.Timeline.MarkKind;
import dev.reflector.console.Timeline.SpanKind;
import org.jspecify.annotations.Nullable;

/**
 * The record of one reflector's actions. Every part of it has a size limit. Thread-safe.
 */
final class Journal implements ReflectorObserver {

	private final String reflector;

	private final Masking masking;

	private final TimeSource time;

	private final Timeline timeline;

	private final RecentChanges changes;

	private final Deliveries deliveries;

	private final Series series = new Series();

	/**
	 * The handlers of the application, by name. The map itself is the lock that guards
	 * it.
	 */
	private final Map<String, HandlerCounts> handlers = new LinkedHashMap<>();

	private final SampledSpans sampled;

	/**
	 * For each namespace, the number of relists when it was last listed. The map itself
	 * is the lock that guards it, the number and the last reason.
	 */
	private final Map<String, Integer> listed = new HashMap<>();

	private int relists;

	private @Nullable RelistReason relisting;

	private volatile @Nullable ResourceAccessor<?> accessor;

	private @Nullable SampledCounts counts;

	private @Nullable String slowListener;

	private int quietSamples;

	Journal(String reflector, Masking masking, TimeSource time) {
		this.reflector = reflector;
		this.masking = masking;
		this.time = time;
		this.timeline = new Timeline(this::now);
		this.changes = new RecentChanges(this::now);
		this.deliveries = new Deliveries(time::nanoTime);
		this.sampled = new SampledSpans(this.timeline);
	}

	long now() {
		return this.time.now().toEpochMilli();
	}

	Timeline timeline() {
		return this.timeline;
	}

	RecentChanges changes() {
		return this.changes;
	}

	Deliveries deliveries() {
		return this.deliveries;
	}

	Series series() {
		return this.series;
	}

	/** Returns the key as the console shows it. */
	ResourceKey shown(ResourceKey key) {
		return this.masking.key(this.reflector, key);
	}

	/** Returns labels as the console shows them. */
	Map<String, String> shown(Map<String, String> labels) {
		return this.masking.labels(this.reflector, labels);
	}

	/**
	 * Returns the counts of a handler of the reflector. If a handler of the same name is
	 * added later, its calls are added to these counts.
	 */
	HandlerCounts handler(String name) {
		synchronized (this.handlers) {
			return this.handlers.computeIfAbsent(name, HandlerCounts::new);
		}
	}

	List<HandlerCounts.View> handlers() {
		synchronized (this.handlers) {
			return this.handlers.values().stream().map(HandlerCounts::view).toList();
		}
	}

	@Nullable ResourceAccessor<?> accessor() {
		return this.accessor;
	}

	void accessor(ResourceAccessor<?> accessor) {
		this.accessor = accessor;
	}

	/** Notes that the full state of the collection is requested. */
	Timeline.Entry listing(@Nullable String namespace) {
		String why = "again";
		synchronized (this.listed) {
			Integer before = this.listed.put(String.valueOf(namespace), this.relists);
			if (before == null) {
				why = "the first list";
			}
			else if (this.relisting != null && before < this.relists) {
				why = text(this.relisting);
			}
		}
		return this.timeline.request(SpanKind.LIST, namespace, why);
	}

	@Override
	public RequestObserver requested(ReflectorRequest request) {
		return (request.kind() != ReflectorRequest.Kind.VERSIONS) ? new JournaledRequest(request, this)
				: RequestObserver.NONE;
	}

	/**
	 * Notes that a request has failed.
	 * @param namespace the namespace
	 * @param failure the failure
	 * @return description of what has happened, human-readable
	 */
	String failed(@Nullable String namespace, RequestFailure failure) {
		Status status = failure.status();
		String message = this.masking.message(this.reflector, (status == null) ? failure.message()
				: ((status.code() != 0) ? status.code() + " " : "") + status.reason() + ": " + status.message());
		MarkKind kind = (status == null) ? MarkKind.ERROR : status.isExpired() ? MarkKind.EXPIRED
				: status.isTooManyRequests() ? MarkKind.THROTTLED : MarkKind.ERROR;
		this.timeline.mark(kind, namespace, message);
		return message;
	}

	@Override
	public <T> void delivering(String handler, Change<T> change, ResourceAccessor<T> accessor) {
		if (counts(handler) != null) {
			this.deliveries.delivered(change);
		}
	}

	@Override
	public void handled(String handler, Duration duration, boolean failed) {
		HandlerCounts counts = counts(handler);
		if (counts != null) {
			if (failed) {
				counts.failed();
			}
			else {
				counts.handled();
			}
		}
	}

	private @Nullable HandlerCounts counts(String handler) {
		synchronized (this.handlers) {
			return this.handlers.get(handler);
		}
	}

	@Override
	public void relisting(RelistReason reason) {
		synchronized (this.listed) {
			this.relists++;
			this.relisting = reason;
		}
		this.timeline.mark(MarkKind.RELIST, null, text(reason));
	}

	@Override
	public void handedOver() {
		this.timeline.mark(MarkKind.HANDOVER, null, "");
	}

	@Override
	public void backingOff(Duration delay, RequestFailure failure) {
		this.timeline.backingOff(delay, String.format(Locale.ROOT, "for %.1f s", delay.toMillis() / 1000.0));
	}

	@Override
	public void skipped(SkippedObject object) {
		this.timeline.mark(MarkKind.SKIPPED, null, this.masking.message(this.reflector, object.reason()));
	}

	@Override
	public void verified(ConsistencyReport report) {
		this.timeline.mark(MarkKind.VERIFIED, null, text(report.result()));
	}

	private static String text(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
	}

	/**
	 * Takes a sample. Called by one thread.
	 * @param status the status of the reflector
	 * @param standby whether the reflector is a standby
	 */
	void sample(ReflectorStatus status, boolean standby) {
		long nanos = this.time.nanoTime();
		ReflectorStatus.Counts counts = status.counts();
		long changes = counts.added() + counts.updated() + counts.deleted();
		SampledCounts before = this.counts;
		this.counts = new SampledCounts(nanos, changes, status.synced());
		double rate = (before != null && nanos > before.nanos())
				? (changes - before.changes()) * 1e9 / (nanos - before.nanos()) : 0;
		Instant contact = status.contact().lastProgressAt();
		long now = now();
		this.series.add(new Series.Sample(now, Math.max(rate, 0), status.queueDepth(),
				this.deliveries.take(status.queueDepth(), busy(status.busyListener()), handlers()),
				(contact != null) ? Math.max(now - contact.toEpochMilli(), 0) : null));
		if (status.synced() && (before == null || !before.synced())) {
			this.timeline.mark(MarkKind.SYNCED, null, status.size() + " objects");
		}
		this.timeline.backingOff(status.state() == ReflectorState.BACKING_OFF);
		this.sampled.set(SpanKind.STOPPED, (status.state() == ReflectorState.STOPPED) ? "" : null);
		this.sampled.set(SpanKind.PAUSED, (status.state() == ReflectorState.PAUSED) ? "" : null);
		this.sampled.set(SpanKind.AWAITING_TYPE, (status.state() == ReflectorState.AWAITING_TYPE) ? "" : null);
		this.sampled.set(SpanKind.STANDBY, standby ? "another replica delivers" : null);
		this.sampled.set(SpanKind.SLOW_LISTENER, slowListener(status.busyListener()));
	}

	private Duration busy(ReflectorStatus.@Nullable BusyListener busy) {
		return (busy != null) ? Duration.between(busy.since(), this.time.now()) : Duration.ZERO;
	}

	/**
	 * Returns the text for the span of a slow listener. If slow calls follow each other
	 * within a short time, they share one span.
	 */
	private @Nullable String slowListener(ReflectorStatus.@Nullable BusyListener busy) {
		this.quietSamples = (busy != null) ? 0 : this.quietSamples + 1;
		if (busy != null) {
			this.slowListener = busy.name();
		}
		else if (this.quietSamples > 2) {
			this.slowListener = null;
		}
		return this.slowListener;
	}

	private record SampledCounts(long nanos, long changes, boolean synced) {

	}

}
