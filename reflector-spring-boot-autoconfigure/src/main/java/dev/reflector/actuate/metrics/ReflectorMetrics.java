package dev.reflector.actuate.metrics;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import dev.reflector.ConsistencyReport;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.informer.Instrumentation;
import dev.reflector.cache.source.ResourceAccessor;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

/**
 * Meters of the reflectors, with the name of the reflector as tag {@code reflector}.
 * Numbers that are part of a reflector's status are read from the status.
 * {@link #observer(String) Observers} record everything else, such as durations.
 *
 * @since 0.1.0
 */
public final class ReflectorMetrics implements MeterBinder, Instrumentation {

	private final Supplier<? extends Stream<? extends Reflector<?>>> reflectors;

	private final TimeSource time;

	private final Map<String, MeterObserver> observers = new ConcurrentHashMap<>();

	/**
	 * The sources of the gauges. They are kept here, because registries keep only weak
	 * references to them.
	 */
	private final List<CachedStatus> statuses = new CopyOnWriteArrayList<>();

	/**
	 * Creates the metrics.
	 * @param reflectors supplies the reflectors of the application; called when a
	 * registry is bound
	 */
	public ReflectorMetrics(Supplier<? extends Stream<? extends Reflector<?>>> reflectors) {
		this(reflectors, new SystemTimeSource());
	}

	/**
	 * Creates the metrics.
	 * @param reflectors supplies the reflectors of the application; called when a
	 * registry is bound
	 * @param time source of time for latencies
	 */
	public ReflectorMetrics(Supplier<? extends Stream<? extends Reflector<?>>> reflectors, TimeSource time) {
		this.reflectors = reflectors;
		this.time = time;
	}

	/**
	 * Makes the observer that records to the meters of a reflector. The observer does
	 * nothing until a registry is bound.
	 * @param reflector name of the reflector
	 * @return the observer
	 */
	@Override
	public ReflectorObserver observer(String reflector) {
		return meters(reflector);
	}

	private MeterObserver meters(String reflector) {
		return this.observers.computeIfAbsent(reflector, (name) -> new MeterObserver(this.time));
	}

	/**
	 * Begins to measure the latency of deliveries to a handler, and returns the handler
	 * unchanged.
	 */
	@Override
	public <T> ResourceEventHandler<T> handler(String reflector, ResourceAccessor<T> accessor,
			ResourceEventHandler<T> handler) {
		meters(reflector).addHandler(handler.name());
		return handler;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.reflectors.get().forEach((reflector) -> bind(reflector, registry));
	}

	private void bind(Reflector<?> reflector, MeterRegistry registry) {
		CachedStatus status = new CachedStatus(reflector, registry.config().clock());
		this.statuses.add(status);
		Tags tags = Tags.of("reflector", reflector.name());
		MeterObserver observer = meters(reflector.name());
		observer.add(new ObservedMeters(registry, tags));
		if (registry.find("reflector.synced").tags(tags).gauge() != null) {
			// a parent context has registered the other meters of this reflector; this
			// context adds only the meters of deliveries
			return;
		}
		Gauge.builder("reflector.standby", status, (source) -> source.isStandby() ? 1 : 0)
			.description("1 while listeners receive nothing because another replica delivers, else 0")
			.tags(tags)
			.register(registry);
		bindCounts(status, registry, tags);
		bindState(status, registry, tags);
		bindAges(status, registry, tags);
		bindVerification(observer, status, registry, tags);
		if (reflector.shard() != null) {
			Gauge.builder("reflector.shard.filtered.here", status, (source) -> source.isFilteredHere() ? 1 : 0)
				.description("1 when the server has sent objects of other shards, which are dropped here, else 0")
				.tags(tags)
				.register(registry);
		}
		if (reflector.durability() != null) {
			observer.add(new SnapshotMeters(status, registry, tags));
		}
		Gauge.builder("reflector.watch.blocked.age", observer, MeterObserver::blockedSeconds)
			.description("Time for which a watch has not been read, 0 while all are read")
			.baseUnit("seconds")
			.tags(tags)
			.register(registry);
	}

	private static void bindCounts(CachedStatus status, MeterRegistry registry, Tags tags) {
		Counter counter = (name, description, unit, extra, count) -> FunctionCounter
			.builder(name, status, (source) -> count.applyAsLong(source.get().counts()))
			.description(description)
			.baseUnit(unit)
			.tags(tags.and(extra))
			.register(registry);
		counter.register("reflector.lists", "Complete lists received", "lists", Tags.empty(),
				ReflectorStatus.Counts::lists);
		counter.register("reflector.watches", "Watches requested", "watches", Tags.empty(),
				ReflectorStatus.Counts::watches);
		counter.register("reflector.errors", "Failures of requests, frames, objects and listeners", "errors",
				Tags.empty(), ReflectorStatus.Counts::errors);
		Map<String, ToLongFunction<ReflectorStatus.Counts>> events = Map.of("added", ReflectorStatus.Counts::added,
				"updated", ReflectorStatus.Counts::updated, "deleted", ReflectorStatus.Counts::deleted, "bookmark",
				ReflectorStatus.Counts::bookmarks);
		events.forEach((type, count) -> counter.register("reflector.events",
				"Changes of the mirror, and bookmarks received", "events", Tags.of("type", type), count));
	}

	private static void bindState(CachedStatus status, MeterRegistry registry, Tags tags) {
		gauge("reflector.store.size", "Objects in the mirror", "objects", status, registry, tags,
				ReflectorStatus::size);
		gauge("reflector.skipped.current", "Objects whose current version could not be read or transformed", "objects",
				status, registry, tags, ReflectorStatus::skipped);
		gauge("reflector.queue.depth", "Changes that wait for the mirror or a listener", "changes", status, registry,
				tags, ReflectorStatus::queueDepth);
		gauge("reflector.synced", "1 when the mirror has been filled, else 0", null, status, registry, tags,
				(current) -> current.synced() ? 1 : 0);
		gauge("reflector.connected", "1 while the server has answered and nothing has failed since, else 0", null,
				status, registry, tags, (current) -> current.contact().connected() ? 1 : 0);
		gauge("reflector.delivery.stopped", "1 when the failure of a listener has stopped its delivery, else 0", null,
				status, registry, tags, (current) -> (current.deliveryStopped() != null) ? 1 : 0);
		gauge("reflector.awaiting.type", "1 while the server does not serve the type, else 0", null, status, registry,
				tags, (current) -> (current.state() == ReflectorState.AWAITING_TYPE) ? 1 : 0);
		gauge("reflector.last.sync.resource.version", "Last 15 digits of the version that has been reached", null,
				status, registry, tags, (current) -> CachedStatus.number(current.lastSyncResourceVersion()));
		gauge("reflector.last.error.status", "Status of the most recent error, 0 when the server did not answer", null,
				status, registry, tags,
				(current) -> (current.lastError() != null) ? current.lastError().status() : Double.NaN);
	}

	private static void bindAges(CachedStatus status, MeterRegistry registry, Tags tags) {
		gauge("reflector.last.list.age", "Time since the last complete list, of any namespace", "seconds", status,
				registry, tags, (current) -> status.secondsSince(current.lastListAt()));
		gauge("reflector.resource.version.age",
				"Time since a list, an event or a bookmark has brought a version of the collection; for several namespaces, the longest of these times",
				"seconds", status, registry, tags,
				(current) -> status.secondsSince(current.contact().lastProgressAt()));
		gauge("reflector.last.event.age", "Time since the last event of a watch, bookmarks included, of any namespace",
				"seconds", status, registry, tags, (current) -> status.secondsSince(current.lastEventAt()));
		gauge("reflector.last.error.age", "Time since the most recent error", "seconds", status, registry, tags,
				(current) -> status.secondsSince(at(current.lastError())));
		gauge("reflector.delivery.stopped.age", "Time since the failure of a listener has stopped its delivery",
				"seconds", status, registry, tags, (current) -> status.secondsSince(at(current.deliveryStopped())));
	}

	private static @Nullable Instant at(ReflectorStatus.@Nullable LastError error) {
		return (error != null) ? error.at() : null;
	}

	private static void bindVerification(MeterObserver observer, CachedStatus status, MeterRegistry registry,
			Tags tags) {
		Map<String, ToLongFunction<ConsistencyReport.Scope>> kinds = Map.of("compared",
				ConsistencyReport.Scope::compared, "missing", ConsistencyReport.Scope::missing, "surplus",
				ConsistencyReport.Scope::surplus, "different", ConsistencyReport.Scope::different, "skipped",
				ConsistencyReport.Scope::skipped);
		kinds.forEach((kind, count) -> Gauge
			.builder("reflector.last.verification.objects", observer, (source) -> objects(source.verification(), count))
			.description("Objects in the last comparison with the server, if it had a result")
			.baseUnit("objects")
			.tags(tags.and("kind", kind))
			.register(registry));
		Gauge.builder("reflector.last.verification.age", observer, (source) -> {
			ConsistencyReport report = source.verification();
			return status.secondsSince((report != null) ? report.at() : null);
		})
			.description("Time since the last comparison with the server")
			.baseUnit("seconds")
			.tags(tags)
			.register(registry);
	}

	private static double objects(@Nullable ConsistencyReport report, ToLongFunction<ConsistencyReport.Scope> count) {
		List<ConsistencyReport.Scope> compared = (report == null) ? List.of()
				: report.scopes()
					.stream()
					.filter((scope) -> scope.result() != ConsistencyReport.Result.NOT_COMPARABLE)
					.toList();
		return compared.isEmpty() ? Double.NaN : compared.stream().mapToLong(count).sum();
	}

	private static void gauge(String name, String description, @Nullable String unit, CachedStatus status,
			MeterRegistry registry, Tags tags, ToDoubleFunction<ReflectorStatus> value) {
		Gauge.builder(name, status, (source) -> value.applyAsDouble(source.get()))
			.description(description)
			.baseUnit(unit)
			.tags(tags)
			.register(registry);
	}

	/**
	 * A function that registers a counter.
	 */
	@FunctionalInterface
	private interface Counter {

		void register(String name, String description, @Nullable String unit, Tags extra,
				ToLongFunction<ReflectorStatus.Counts> count);

	}

}
