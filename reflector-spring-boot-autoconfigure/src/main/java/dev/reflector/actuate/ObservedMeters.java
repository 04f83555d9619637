package dev.reflector.actuate;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

import dev.reflector.ConsistencyReport.Result;
import dev.reflector.cache.PassEnd;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/**
 * Meters of one reflector in one registry that are fed by observing it; looked up once.
 */
final class ObservedMeters {

	private final Timer listDuration;

	private final Timer watchDuration;

	private final Timer listenerDuration;

	private final Counter listenerErrors;

	private final Counter skipped;

	private final Counter handovers;

	private final Counter merged;

	private final Map<PassEnd, Counter> relists = new EnumMap<>(PassEnd.class);

	private final Map<Result, Counter> verifications = new EnumMap<>(Result.class);

	ObservedMeters(MeterRegistry registry, Tags tags) {
		this.listDuration = Timer.builder("reflector.list.duration")
			.description("Time from the request of a list to its last object")
			.tags(tags)
			.register(registry);
		this.watchDuration = Timer.builder("reflector.watch.duration")
			.description("Time that watches lived")
			.tags(tags)
			.register(registry);
		this.listenerDuration = Timer.builder("reflector.listener.duration")
			.description("Time that listeners took for a change")
			.tags(tags)
			.register(registry);
		this.listenerErrors = Counter.builder("reflector.listener.errors")
			.description("Changes for which a listener threw")
			.baseUnit("errors")
			.tags(tags)
			.register(registry);
		this.skipped = Counter.builder("reflector.skipped")
			.description("Objects that could not be read")
			.baseUnit("objects")
			.tags(tags)
			.register(registry);
		this.handovers = Counter.builder("reflector.watch.handovers")
			.description("Watches that were there before the one before them ended, and took over from it")
			.baseUnit("watches")
			.tags(tags)
			.register(registry);
		this.merged = Counter.builder("reflector.events.merged")
			.description("Changes merged into one that waited, because the queue of a listener was full")
			.baseUnit("events")
			.tags(tags)
			.register(registry);
		for (PassEnd reason : PassEnd.values()) {
			this.relists.put(reason,
					Counter.builder("reflector.relists")
						.description("Times the full state had to be asked for again")
						.tags(tags.and("reason", reason.name().toLowerCase(Locale.ROOT)))
						.register(registry));
		}
		for (Result result : Result.values()) {
			this.verifications.put(result,
					Counter.builder("reflector.verifications")
						.description("Times the mirror was compared with the server")
						.tags(tags.and("result", result.name().toLowerCase(Locale.ROOT)))
						.register(registry));
		}
	}

	void listed(Duration duration) {
		this.listDuration.record(duration);
	}

	void relisting(PassEnd reason) {
		this.relists.get(reason).increment();
	}

	void watched(Duration duration) {
		this.watchDuration.record(duration);
	}

	void handedOver() {
		this.handovers.increment();
	}

	void skipped() {
		this.skipped.increment();
	}

	void verified(Result result) {
		this.verifications.get(result).increment();
	}

	void merged() {
		this.merged.increment();
	}

	void handled(Duration duration, boolean failed) {
		this.listenerDuration.record(duration);
		if (failed) {
			this.listenerErrors.increment();
		}
	}

}
