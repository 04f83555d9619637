package dev.reflector.actuate.metrics;

import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

import dev.reflector.ReflectorStatus.Durability;
import dev.reflector.ReflectorStatus.SlowestListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Meters of the snapshot of one reflector in one registry. While another process writes
 * the snapshot, most of these meters have no value in this process.
 */
final class SnapshotMeters {

	private static final String NO_LISTENER = "none";

	private final CachedStatus status;

	private final MeterRegistry registry;

	private final Tags tags;

	private final Timer commits;

	private final Counter errors;

	/**
	 * Names of the listeners that have a gauge. A listener gets a gauge as soon as it is
	 * the slowest listener for the first time.
	 */
	private final Set<String> listeners = ConcurrentHashMap.newKeySet();

	SnapshotMeters(CachedStatus status, MeterRegistry registry, Tags tags) {
		this.status = status;
		this.registry = registry;
		this.tags = tags;
		this.commits = Timer.builder("reflector.snapshot.commit.duration")
			.description("Time that commits to the snapshot took")
			.tags(tags)
			.register(registry);
		this.errors = Counter.builder("reflector.snapshot.errors")
			.description("Attempts to write the snapshot that have failed")
			.baseUnit("errors")
			.tags(tags)
			.register(registry);
		gauge("reflector.snapshot.writing", "1 while this process writes the snapshot, else 0", null,
				(snapshot) -> snapshot.writing() ? 1 : 0);
		gauge("reflector.snapshot.restored", "Objects that the mirror was filled with from the snapshot at the start",
				"objects", Durability::restored);
		gauge("reflector.snapshot.lag", "Time for which the mirror has been ahead of the snapshot, 0 while it is not",
				"seconds", this::lag);
		listener(NO_LISTENER);
		Durability current = status.durability();
		if (current != null) {
			lag(current);
		}
		written("reflector.snapshot.age", "Time since the last commit to the snapshot, if this process writes it",
				"seconds", (snapshot) -> status.secondsSince(snapshot.committedAt()));
		written("reflector.snapshot.size", "Objects in the snapshot, if this process writes it", "objects",
				Durability::size);
		gauge("reflector.snapshot.content.unknown",
				"Objects in the snapshot of which only key, uid and version are known, because they could not be read or written",
				"objects", Durability::contentUnknown);
		written("reflector.snapshot.resource.version",
				"Last 15 digits of the version up to which every change is stored, for several namespaces the oldest of "
						+ "these versions, if this process writes the snapshot",
				null, SnapshotMeters::cursor);
	}

	private double lag(Durability snapshot) {
		SlowestListener slowest = snapshot.slowestListener();
		if (slowest != null) {
			listener(slowest.name());
		}
		return (snapshot.behindSince() != null) ? this.status.secondsSince(snapshot.behindSince()) : 0;
	}

	private void listener(String name) {
		if (this.listeners.add(name)) {
			gauge("reflector.snapshot.listener.lag",
					"Time for which the listener that delays the snapshot most has been behind the mirror, 0 for others",
					"seconds", this.tags.and("listener", name), (snapshot) -> {
						SlowestListener slowest = snapshot.slowestListener();
						return (slowest != null && slowest.name().equals(name))
								? this.status.secondsSince(slowest.since()) : 0;
					});
		}
	}

	private static double cursor(Durability snapshot) {
		return snapshot.cursors()
			.values()
			.stream()
			.min(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder()))
			.map(CachedStatus::number)
			.orElse(Double.NaN);
	}

	private void written(String name, String description, @Nullable String unit, ToDoubleFunction<Durability> value) {
		gauge(name, description, unit, (snapshot) -> snapshot.writing() ? value.applyAsDouble(snapshot) : Double.NaN);
	}

	private void gauge(String name, String description, @Nullable String unit, ToDoubleFunction<Durability> value) {
		gauge(name, description, unit, this.tags, value);
	}

	private void gauge(String name, String description, @Nullable String unit, Tags tags,
			ToDoubleFunction<Durability> value) {
		Gauge.builder(name, this.status, (source) -> {
			Durability snapshot = source.durability();
			return (snapshot != null) ? value.applyAsDouble(snapshot) : Double.NaN;
		}).description(description).baseUnit(unit).tags(tags).register(this.registry);
	}

	void committed(Duration duration) {
		this.commits.record(duration);
	}

	void commitFailed() {
		this.errors.increment();
	}

}
