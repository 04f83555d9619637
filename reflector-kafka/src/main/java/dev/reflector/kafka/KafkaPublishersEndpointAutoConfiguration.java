package dev.reflector.kafka;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the {@link KafkaPublishersEndpoint}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = KafkaPublisherAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(KafkaPublishersEndpoint.class)
@ConditionalOnBean(KafkaPublishers.class)
public final class KafkaPublishersEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	KafkaPublishersEndpoint reflectorKafkaEndpoint(KafkaPublishers publishers) {
		return new KafkaPublishersEndpoint(publishers);
	}

}
