package dev.reflector.actuate.write;

import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import dev.reflector.cache.config.TimeSource;
import dev.reflector.write.WriteMode;
import dev.reflector.write.WriteObserver;
import dev.reflector.write.WriteOperation;
import dev.reflector.write.WriteReport;
import dev.reflector.write.WriteReport.Outcome;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * Actuator endpoint that shows how often the application has written, and which paths
 * dry-run writes would have changed. It never shows values.
 *
 * @since 0.1.0
 */
@Endpoint(id = "reflectorwrites")
public class ReflectorWritesEndpoint implements WriteObserver {

	private static final int MOST = 200;

	private final WriteMode mode;

	private final TimeSource time;

	private final Map<Outcome, Long> counts = new EnumMap<>(Outcome.class);

	private final Map<Place, DryRunDescriptor> dryRuns = new LinkedHashMap<>();

	/**
	 * Creates the endpoint.
	 * @param mode whether writes take effect
	 * @param time source of time
	 */
	public ReflectorWritesEndpoint(WriteMode mode, TimeSource time) {
		this.mode = mode;
		this.time = time;
	}

	@Override
	public synchronized void written(WriteReport report) {
		this.counts.merge(report.outcome(), 1L, Long::sum);
		if (report.outcome() != Outcome.DRY_RUN) {
			return;
		}
		Place place = new Place(report.operation(), report.type(), report.key().toString());
		this.dryRuns.remove(place);
		if (report.operation() == WriteOperation.DELETE || report.afterDryRun() || !report.changes().isEmpty()) {
			this.dryRuns.put(place,
					new DryRunDescriptor(this.time.now(), text(report.operation()), report.type().getSimpleName(),
							report.resource().toString(), report.key().toString(), report.changes(),
							report.afterDryRun()));
		}
		if (this.dryRuns.size() > MOST) {
			this.dryRuns.remove(this.dryRuns.keySet().iterator().next());
		}
	}

	/**
	 * Reports the writes of the application.
	 * @return mode, counts and, if writes are dry runs, the last 200 writes that would
	 * have changed something
	 */
	@ReadOperation
	public synchronized WritesDescriptor writes() {
		Map<String, Long> counts = new TreeMap<>();
		for (Outcome outcome : Outcome.values()) {
			counts.put(text(outcome), this.counts.getOrDefault(outcome, 0L));
		}
		return new WritesDescriptor(text(this.mode), counts, List.copyOf(this.dryRuns.values()));
	}

	private static String text(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	private record Place(WriteOperation operation, Class<?> type, String key) {

	}

	/**
	 * The report on the writes of the application.
	 *
	 * @param mode whether writes take effect
	 * @param counts number of writes by outcome
	 * @param dryRuns if writes are dry runs, the last writes that would have changed
	 * something
	 */
	public record WritesDescriptor(String mode, Map<String, Long> counts, List<DryRunDescriptor> dryRuns) {

	}

	/**
	 * A dry-run write that would have changed something.
	 *
	 * @param at when the write was last tried
	 * @param operation the method of the writer
	 * @param type simple name of the Java class of the object
	 * @param resource API version and kind
	 * @param key key of the object
	 * @param changes the paths that would change, empty for a deletion
	 * @param afterDryRun whether the write depends on an object that does not exist,
	 * because the write that would create it was a dry run
	 */
	public record DryRunDescriptor(Instant at, String operation, String type, String resource, String key,
			List<String> changes, boolean afterDryRun) {

	}

}
