package dev.reflector.actuate.write;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.reflector.write.WriteObserver;
import dev.reflector.write.WriteReport;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Meters of writes, by operation, type and outcome. If writes are dry runs, counters also
 * show which paths would have changed.
 *
 * @since 0.1.0
 */
public final class WriteMetrics implements MeterBinder, WriteObserver {

	/**
	 * Limit on the values of the tag {@code path}. Paths contain keys of maps, so there
	 * may be any number of paths.
	 */
	private static final int MOST_PATHS = 200;

	private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();

	private final Set<String> paths = ConcurrentHashMap.newKeySet();

	@Override
	public void bindTo(MeterRegistry registry) {
		this.registries.add(registry);
	}

	@Override
	public void written(WriteReport report) {
		Tags tags = Tags.of("operation", report.operation().name().toLowerCase(Locale.ROOT), "type",
				report.type().getSimpleName(), "outcome", outcome(report));
		for (MeterRegistry registry : this.registries) {
			Timer.builder("reflector.writes")
				.description("Writes to the API server, also skipped ones and those of a dry run")
				.tags(tags)
				.register(registry)
				.record(report.duration());
			for (String path : report.changes()) {
				Counter.builder("reflector.writes.changes")
					.description("Changes that a dry run would have made, by path")
					.tags("type", report.type().getSimpleName(), "path", bounded(path))
					.register(registry)
					.increment();
			}
		}
	}

	/**
	 * Returns the outcome of a write; if the write has failed, the reason of the failure.
	 */
	private static String outcome(WriteReport report) {
		return (report.failure() != null) ? report.failure().reason()
				: report.outcome().name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	private String bounded(String path) {
		return (this.paths.contains(path) || (this.paths.size() < MOST_PATHS && this.paths.add(path))) ? path : "other";
	}

}
