package dev.reflector.kafka;

import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the meters of the publishers to Kafka.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = KafkaPublisherAutoConfiguration.class,
		afterName = {
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({ MeterRegistry.class, KafkaPublishers.class })
public final class KafkaPublishersMetricsAutoConfiguration {

	@Bean
	KafkaPublishersMetrics reflectorKafkaMetrics(KafkaPublishers publishers) {
		return new KafkaPublishersMetrics(publishers);
	}

}
