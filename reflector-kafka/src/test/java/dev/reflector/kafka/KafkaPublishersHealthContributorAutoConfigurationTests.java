package dev.reflector.kafka;

import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KafkaPublishersHealthContributorAutoConfiguration}.
 */
class KafkaPublishersHealthContributorAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(KafkaPublishersHealthContributorAutoConfiguration.class));

	@Test
	void isThere() {
		this.runner.withUserConfiguration(NoPublishers.class)
			.run((context) -> assertThat(context).hasNotFailed().hasBean("reflectorKafkaHealthContributor"));
	}

	@Test
	void withoutPublishers() {
		this.runner
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorKafkaHealthContributor"));
	}

	@Test
	void withoutHealth() {
		this.runner.withUserConfiguration(NoPublishers.class)
			.withClassLoader(new FilteredClassLoader(HealthContributor.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorKafkaHealthContributor"));
	}

	@Test
	void switchedOff() {
		this.runner.withUserConfiguration(NoPublishers.class)
			.withPropertyValues("management.health.reflector-kafka.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorKafkaHealthContributor"));
	}

	@Test
	void backsOff() {
		this.runner.withUserConfiguration(NoPublishers.class)
			.withBean("reflectorKafkaHealthIndicator", HealthIndicator.class, () -> Health.up()::build)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorKafkaHealthContributor"));
	}

}
