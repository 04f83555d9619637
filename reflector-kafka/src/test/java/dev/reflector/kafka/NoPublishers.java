package dev.reflector.kafka;

import java.util.Map;

import dev.reflector.cache.config.SystemTimeSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaAdmin;

/**
 * Publishers of an application that names no topics: they need no broker.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(KafkaPublisherProperties.class)
class NoPublishers {

	@Bean
	KafkaPublishers publishers(KafkaPublisherProperties properties, ApplicationContext context,
			ObjectProvider<ConsumerFactory<?, ?>> consumers, ObjectProvider<JsonMapper> jsonMapper,
			ConfigurableListableBeanFactory beanFactory) {
		return new KafkaPublishers(new KafkaPublisherFactory(properties,
				new PublisherSettings(1, false, new SystemTimeSource()), new KafkaAdmin(Map.of()),
				new ProducerHandle(new DefaultKafkaProducerFactory<>(Map.of()), false, context), consumers, jsonMapper,
				beanFactory));
	}

}
