package dev.reflector.kafka;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the health of the publishers to Kafka.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = KafkaPublisherAutoConfiguration.class)
@ConditionalOnClass({ HealthContributor.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnEnabledHealthIndicator("reflector-kafka")
@ConditionalOnBean(KafkaPublishers.class)
public final class KafkaPublishersHealthContributorAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = { "reflectorKafkaHealthIndicator", "reflectorKafkaHealthContributor" })
	HealthContributor reflectorKafkaHealthContributor(KafkaPublishers publishers, KafkaPublisherProperties properties) {
		return new KafkaPublishersHealth(publishers, properties.failingThreshold());
	}

}
