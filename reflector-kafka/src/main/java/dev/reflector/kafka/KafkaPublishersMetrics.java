package dev.reflector.kafka;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Meters of the publishers, with the name of the reflector as tag {@code reflector} and
 * the topic as tag {@code topic}.
 */
final class KafkaPublishersMetrics implements MeterBinder {

	private final KafkaPublishers publishers;

	KafkaPublishersMetrics(KafkaPublishers publishers) {
		this.publishers = publishers;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.publishers.each((publisher) -> bind(publisher, registry));
	}

	private static void bind(KafkaPublisher<?> publisher, MeterRegistry registry) {
		Tags tags = Tags.of("reflector", publisher.reflector(), "topic", publisher.topic());
		Map<String, ToDoubleFunction<KafkaPublisher<?>>> counts = Map.of("added", (source) -> source.status().added(),
				"updated", (source) -> source.status().updated(), "deleted", (source) -> source.status().deleted());
		counts.forEach((type, count) -> FunctionCounter.builder("reflector.kafka.published", publisher, count)
			.description("Records that the broker has acknowledged")
			.tags(tags.and("type", type))
			.register(registry));
		FunctionCounter.builder("reflector.kafka.retries", publisher, (source) -> source.status().retried())
			.description("How often a record was sent again")
			.tags(tags)
			.register(registry);
		FunctionCounter.builder("reflector.kafka.refused", publisher, (source) -> source.status().refused())
			.description("Records that can never be accepted")
			.tags(tags)
			.register(registry);
		Gauge.builder("reflector.kafka.in.flight", publisher, (source) -> source.status().inFlight())
			.description("Records that were sent and are not acknowledged")
			.tags(tags)
			.register(registry);
		TimeGauge.builder("reflector.kafka.lag", publisher, TimeUnit.NANOSECONDS, (source) -> source.lag().toNanos())
			.description("For how long the oldest record that is not acknowledged has been waiting, 0 for none")
			.tags(tags)
			.register(registry);
	}

}
