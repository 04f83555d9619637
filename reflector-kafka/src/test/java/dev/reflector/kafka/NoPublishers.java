package dev.reflector.kafka;

import java.util.Map;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.KafkaAdmin;

/**
 * Publishers of an application that names no topics: they need no broker.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(KafkaPublisherProperties.class)
class NoPublishers {

	@Bean
	KafkaAdmin kafkaAdmin() {
		return new KafkaAdmin(Map.of());
	}

	@Bean
	KafkaPublishers publishers(KafkaPublisherProperties properties, ConfigurableApplicationContext context) {
		return new KafkaPublishers(new KafkaPublisherFactory(properties, context, false));
	}

}
