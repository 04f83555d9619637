package dev.reflector.kafka;

import java.util.Map;

import dev.reflector.autoconfigure.ReflectorAutoConfiguration;
import dev.reflector.autoconfigure.ReflectorProperties;
import dev.reflector.cache.config.TimeSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} that publishes changes to Kafka, for the reflectors that
 * {@code reflector.publish.kafka.topics} names. Brokers, security and producers are
 * configured by {@code spring.kafka}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ReflectorAutoConfiguration.class,
		afterName = "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
@ConditionalOnClass(KafkaTemplate.class)
@ConditionalOnBean(value = ReflectorProperties.class, search = SearchStrategy.CURRENT)
@Conditional(KafkaPublisherAutoConfiguration.OnTopics.class)
@EnableConfigurationProperties(KafkaPublisherProperties.class)
public final class KafkaPublisherAutoConfiguration {

	@Bean
	@Lazy(false)
	KafkaPublishers reflectorKafkaPublishers(KafkaPublisherProperties properties, ReflectorProperties reflectors,
			ObjectProvider<KafkaAdmin> admin, ObjectProvider<ProducerFactory<?, ?>> producerFactory,
			ObjectProvider<ConsumerFactory<?, ?>> consumerFactory, ObjectProvider<JsonMapper> jsonMapper,
			TimeSource time, ConfigurableListableBeanFactory beanFactory, ApplicationContext context,
			Environment environment) {
		PublisherSettings settings = new PublisherSettings(properties.maxInFlight(),
				reflectors.events().deliveryPolicy().onError().isLossy(), time);
		ProducerHandle producer = new ProducerHandle(
				KafkaPublisherFactory.required(producerFactory, ProducerFactory.class),
				environment.getProperty("spring.kafka.template.observation-enabled", Boolean.class, false), context);
		return new KafkaPublishers(
				new KafkaPublisherFactory(properties, settings, KafkaPublisherFactory.required(admin, KafkaAdmin.class),
						producer, consumerFactory, jsonMapper, beanFactory));
	}

	/** Matches if the properties name a topic for any reflector. */
	static final class OnTopics extends SpringBootCondition {

		private static final String TOPICS = "reflector.publish.kafka.topics";

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			Map<String, String> topics = Binder.get(context.getEnvironment())
				.bind(TOPICS, Bindable.mapOf(String.class, String.class))
				.orElse(Map.of());
			ConditionMessage.Builder message = ConditionMessage.forCondition("Kafka topics of reflectors");
			return topics.isEmpty() ? ConditionOutcome.noMatch(message.because("'" + TOPICS + "' is empty"))
					: ConditionOutcome.match(message.found("topic", "topics").items(topics.values()));
		}

	}

}
