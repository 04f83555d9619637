package dev.reflector.actuate.metrics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import dev.reflector.ConsistencyReport.Result;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.handler.RequestEnd;
import dev.reflector.cache.source.SkippedObject;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Meters of one reflector in one registry that record what happens in the reflector. The
 * meters are looked up once.
 */
final class ObservedMeters {

	private static final long NEVER = -1;

	private final Timer listDuration;

	private final Timer watchDuration;

	private final Timer listenerDuration;

	private final Counter listenerErrors;

	private final Counter listenerRetries;

	private final Counter handovers;

	private final Counter merged;

	private final Timer backoffDuration;

	private final Timer blockedDuration;

	private final DistributionSummary listSize;

	private final Counter bytes;

	private final Counter formatFallbacks;

	private final Clock clock;

	private volatile long lastBookmarkAt = NEVER;

	private final Map<SkippedObject.Cause, Counter> skipped;

	private final Map<Request, Counter> malformed;

	private final Map<RequestEnd.Reason, Counter> reconnects;

	private final Map<DeliveryStart, Timer> latencies;

	private final Map<RelistReason, Counter> relists;

	private final Map<Result, Counter> verifications;

	ObservedMeters(MeterRegistry registry, Tags tags) {
		this.clock = registry.config().clock();
		this.listDuration = timer("reflector.list.duration", "Time from the request of a list to its last object", tags,
				registry);
		this.listSize = DistributionSummary.builder("reflector.list.size")
			.description("Objects in a complete list")
			.baseUnit("objects")
			.tags(tags)
			.register(registry);
		this.watchDuration = timer("reflector.watch.duration", "Time for which watches were open", tags, registry);
		this.blockedDuration = timer("reflector.watch.blocked",
				"Time in which a watch was not read, because earlier events were still waiting", tags, registry);
		this.backoffDuration = timer("reflector.backoff.duration", "Delays before another attempt", tags, registry);
		this.listenerDuration = timer("reflector.listener.duration",
				"Time that listeners took for a change, measured for each attempt", tags, registry);
		this.listenerErrors = counter("reflector.listener.errors",
				"Attempts to deliver a change in which a listener threw", "errors", tags, registry);
		this.listenerRetries = counter("reflector.listener.retries",
				"Attempts to deliver a change again after a failure", "retries", tags, registry);
		this.skipped = each(SkippedObject.Cause.class, tags, "reason", (reasonTags) -> counter("reflector.skipped",
				"Objects that could not be read, or whose transformation has failed", "objects", reasonTags, registry));
		this.malformed = each(Request.class, tags, "request", (requestTags) -> counter("reflector.malformed",
				"Malformed answers, whose rest was not read", "answers", requestTags, registry));
		this.merged = counter("reflector.events.merged",
				"Changes merged into a queued change, because the queue of a listener was full", null, tags, registry);
		this.handovers = counter("reflector.watch.handovers", "Watches that took over from another one before it ended",
				"handovers", tags, registry);
		this.bytes = counter("reflector.received", "Size of the answers of the server", "bytes", tags, registry);
		this.formatFallbacks = counter("reflector.format.fallbacks",
				"Times the server has refused the requested format, so that JSON is used", "fallbacks", tags, registry);
		this.relists = each(RelistReason.class, tags, "reason", (reasonTags) -> counter("reflector.relists",
				"Times the full state had to be requested again", "relists", reasonTags, registry));
		this.reconnects = new EnumMap<>(RequestEnd.Reason.class);
		for (RequestEnd.Reason reason : RequestEnd.Reason.values()) {
			this.reconnects.put(reason,
					counter("reflector.reconnects",
							"Watches that continued after another watch ended, by the reason of that end", "reconnects",
							tags.and("reason", name(reason)), registry));
		}
		this.verifications = each(Result.class, tags, "result", (resultTags) -> counter("reflector.verifications",
				"Times the mirror was compared with the server", "verifications", resultTags, registry));
		this.latencies = each(DeliveryStart.class, tags, "from", (fromTags) -> timer("reflector.delivery.latency",
				"Time until a listener is called. server: since the creation of the object, in whole seconds by the "
						+ "clock of the server. arrival: since the arrival of the event, for one event at a time",
				fromTags, registry));
		Gauge.builder("reflector.last.bookmark.age", this, ObservedMeters::lastBookmarkAge)
			.description("Time since the last bookmark")
			.baseUnit("seconds")
			.tags(tags)
			.register(registry);
	}

	/** Returns the tag value for a reason. Some reasons have the same tag value. */
	private static String name(RequestEnd.Reason reason) {
		return switch (reason) {
			case ENDED -> "ended";
			case LOST -> "lost";
			case SILENT -> "silent";
			case MALFORMED, FAILED -> "failed";
			case OVERDUE, REPLACED, GIVEN_UP -> "given_up";
		};
	}

	private static Timer timer(String name, String description, Tags tags, MeterRegistry registry) {
		return Timer.builder(name).description(description).tags(tags).register(registry);
	}

	private static Counter counter(String name, String description, @Nullable String unit, Tags tags,
			MeterRegistry registry) {
		return Counter.builder(name).description(description).baseUnit(unit).tags(tags).register(registry);
	}

	private static <E extends Enum<E>, M> Map<E, M> each(Class<E> values, Tags tags, String key,
			Function<Tags, M> meter) {
		Map<E, M> meters = new EnumMap<>(values);
		for (E value : values.getEnumConstants()) {
			meters.put(value, meter.apply(tags.and(key, value.name().toLowerCase(Locale.ROOT))));
		}
		return meters;
	}

	private double lastBookmarkAge() {
		long at = this.lastBookmarkAt;
		return (at != NEVER) ? (this.clock.wallTime() - at) / (double) TimeUnit.SECONDS.toMillis(1) : Double.NaN;
	}

	void listed(Duration duration, int items) {
		this.listDuration.record(duration);
		this.listSize.record(items);
	}

	void backingOff(Duration delay) {
		this.backoffDuration.record(delay);
	}

	void formatRefused() {
		this.formatFallbacks.increment();
	}

	void received(long bytes) {
		this.bytes.increment(bytes);
	}

	/** Returns the meter of an enum constant. Every constant has a meter. */
	private static <K, M> M of(Map<K, M> meters, K constant) {
		return Objects.requireNonNull(meters.get(constant));
	}

	void reconnecting(RequestEnd.Reason before) {
		of(this.reconnects, before).increment();
	}

	void blocked(Duration duration) {
		this.blockedDuration.record(duration);
	}

	/**
	 * Notes that a bookmark has arrived.
	 * @param promisesOthers whether the server sends others from now on. The first one
	 * must do so: an age without others would only grow
	 */
	void bookmarked(boolean promisesOthers) {
		if (promisesOthers || this.lastBookmarkAt != NEVER) {
			this.lastBookmarkAt = this.clock.wallTime();
		}
	}

	void latency(DeliveryStart start, Duration latency) {
		of(this.latencies, start).record(latency);
	}

	void relisting(RelistReason reason) {
		of(this.relists, reason).increment();
	}

	void watched(Duration duration) {
		this.watchDuration.record(duration);
	}

	void handedOver() {
		this.handovers.increment();
	}

	void skipped(SkippedObject.Cause cause) {
		of(this.skipped, cause).increment();
	}

	void malformed(Request request) {
		of(this.malformed, request).increment();
	}

	void verified(Result result) {
		of(this.verifications, result).increment();
	}

	void merged() {
		this.merged.increment();
	}

	void retried(Duration duration) {
		handled(duration, true);
		this.listenerRetries.increment();
	}

	void handled(Duration duration, boolean failed) {
		this.listenerDuration.record(duration);
		if (failed) {
			this.listenerErrors.increment();
		}
	}

	/** Kind of a request. */
	enum Request {

		/** A page of a list. */
		LIST,

		/** A watch, or a streamed list. */
		WATCH

	}

	/** The moment from which the latency of a delivery is measured. */
	enum DeliveryStart {

		/** The creation of the object, by the clock of the server. */
		SERVER,

		/** The arrival of the event. */
		ARRIVAL

	}

}
