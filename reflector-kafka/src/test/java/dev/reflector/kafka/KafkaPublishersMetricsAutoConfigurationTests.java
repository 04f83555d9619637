package dev.reflector.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KafkaPublishersMetricsAutoConfiguration}.
 */
class KafkaPublishersMetricsAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(KafkaPublishersMetricsAutoConfiguration.class))
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new);

	@Test
	void isThere() {
		this.runner.withUserConfiguration(NoPublishers.class)
			.run((context) -> assertThat(context).hasNotFailed().hasBean("reflectorKafkaMetrics"));
	}

	@Test
	void withoutPublishers() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorKafkaMetrics"));
	}

	@Test
	void withoutMicrometer() {
		this.runner.withUserConfiguration(NoPublishers.class)
			.withClassLoader(new FilteredClassLoader(MeterRegistry.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorKafkaMetrics"));
	}

	@Test
	void withoutMeterRegistry() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KafkaPublishersMetricsAutoConfiguration.class))
			.withUserConfiguration(NoPublishers.class)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorKafkaMetrics"));
	}

}
