package dev.reflector.kafka;

import java.util.List;
import java.util.Map;

import dev.reflector.GenericResource;
import dev.reflector.autoconfigure.ReflectorAutoConfiguration;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.MetadataAccessor;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.KafkaTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KafkaPublisherAutoConfiguration}.
 */
class KafkaPublisherAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ReflectorAutoConfiguration.class, KafkaAutoConfiguration.class,
				KafkaPublisherAutoConfiguration.class))
		.withPropertyValues("KUBECONFIG=", "user.home=/nonexistent", "KUBERNETES_SERVICE_HOST=");

	private final ApplicationContextRunner publishing = this.runner
		.withPropertyValues("reflector.publish.kafka.topics.widgets=widgets");

	@Test
	void aTopicIsForAReflector() {
		this.publishing.run((context) -> assertThat(context).getFailure()
			.isInstanceOf(KafkaTopicException.class)
			.hasMessageContaining("'reflector.publish.kafka.topics.widgets' names no reflector"));
	}

	@Test
	void aChildContextPublishesNoReflectorOfItsParent() {
		SharedInformer<GenericResource> widgets = SharedInformer
			.builder("widgets",
					KafkaListerWatcher
						.builder(new DefaultKafkaConsumerFactory<>(Map.of()), "widgets", GenericResource.class)
						.build(),
					MetadataAccessor.forType(GenericResource.class))
			.build();
		new ApplicationContextRunner().withBean("widgetReflector", SharedInformer.class, () -> widgets)
			.run((parent) -> this.publishing.withParent(parent)
				.run((child) -> assertThat(child).hasNotFailed()
					.getBean(KafkaPublishers.class)
					.extracting(KafkaPublishers::all)
					.isEqualTo(List.of())));
	}

	@Test
	void withoutTopics() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(KafkaPublishers.class));
	}

	@Test
	void withoutReflectors() {
		this.publishing.withPropertyValues("reflector.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(KafkaPublishers.class));
	}

	@Test
	void withoutSpringKafka() {
		this.publishing.withClassLoader(new FilteredClassLoader(KafkaTemplate.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorKafkaPublishers"));
	}

}
