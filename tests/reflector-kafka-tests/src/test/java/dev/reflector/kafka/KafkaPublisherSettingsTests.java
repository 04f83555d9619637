package dev.reflector.kafka;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutionException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.Serializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.kafka.autoconfigure.DefaultKafkaProducerFactoryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.ProducerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * One application with settings that publishers heed, and with some that they do not.
 */
@ExtendWith(Patience.class)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaPublisherSettingsTests {

	private static final String TOPIC = Broker.topic();

	private static PublishedWidgets widgets;

	private static ConfigurableApplicationContext application;

	@BeforeAll
	static void startApplication() {
		widgets = new PublishedWidgets();
		widgets.apply("a", 7);
		application = PublishingApplication.run(List.of(PublishingApplication.class, OwnProducers.class),
				widgets.server(), Broker.servers(), "reflector.publish.kafka.topics.WID_GETS=" + TOPIC,
				// a variable that overrides a property gives both keys the same value
				"reflector.publish.kafka.topics.widgets=" + TOPIC, "reflector.publish.kafka.partitions=5",
				"reflector.publish.kafka.replication-factor=1",
				"spring.kafka.producer.properties.partitioner.ignore.keys=true",
				"spring.kafka.producer.properties.partitioner.class=" + RoundRobinPartitioner.class.getName());
	}

	@AfterAll
	static void stopApplication() {
		if (application != null) {
			application.close();
		}
		widgets.close();
	}

	@Test
	void aNameMayBeSpelledAsInAnEnvironmentVariable() {
		assertThat(application.getBean(KafkaPublishers.class).all()).extracting(KafkaPublisher::reflector)
			.containsExactly("widgets");
	}

	@Test
	void theTopicIsMadeAsThePropertiesSay() throws Exception {
		try (Admin admin = Broker.admin()) {
			ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, TOPIC);
			// a broker lists a new topic a moment after it was created
			await().ignoreException(ExecutionException.class).untilAsserted(() -> {
				assertThat(admin.describeTopics(List.of(TOPIC)).allTopicNames().get().get(TOPIC).partitions())
					.hasSize(5);
				assertThat(admin.describeConfigs(List.of(resource))
					.all()
					.get()
					.get(resource)
					.get("cleanup.policy")
					.value()).isEqualTo("compact");
			});
		}
	}

	@Test
	void serializersOfTheApplicationAreNotUsed() {
		try (PlainConsumer consumer = new PlainConsumer(Broker.servers(), TOPIC)) {
			await().until(() -> consumer.read().size() == 1);
			assertThat(consumer.read().get(0).key()).isEqualTo("default/a");
			assertThat(consumer.read().get(0).value()).contains("\"size\":7");
		}
	}

	@Test
	void aPartitionerOfTheApplicationIsNotUsed() {
		ProducerFactory<?, ?> factory = application.getBean(ProducerFactory.class);
		assertThat(factory.getConfigurationProperties()).containsKey("partitioner.class");
		assertThat(ProducerHandle.settings(factory)).doesNotContainKey("partitioner.class")
			.containsEntry("partitioner.ignore.keys", false);
	}

	/** Producers as an application may need them for itself. */
	@Configuration(proxyBeanMethods = false)
	static class OwnProducers {

		@Bean
		@SuppressWarnings("unchecked")
		DefaultKafkaProducerFactoryCustomizer ownProducers() {
			Serializer<Object> own = (topic, data) -> "own".getBytes(StandardCharsets.UTF_8);
			return (factory) -> {
				DefaultKafkaProducerFactory<Object, Object> producers = (DefaultKafkaProducerFactory<Object, Object>) factory;
				producers.setKeySerializer(own);
				producers.setValueSerializer(own);
				producers.setProducerPerThread(true);
			};
		}

	}

}
