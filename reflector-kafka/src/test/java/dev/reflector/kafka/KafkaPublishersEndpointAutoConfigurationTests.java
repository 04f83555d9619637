package dev.reflector.kafka;

import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KafkaPublishersEndpointAutoConfiguration}.
 */
class KafkaPublishersEndpointAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(KafkaPublishersEndpointAutoConfiguration.class))
		.withPropertyValues("management.endpoints.web.exposure.include=*");

	@Test
	void isThere() {
		this.runner.withUserConfiguration(NoPublishers.class)
			.run((context) -> assertThat(context).hasNotFailed().hasBean("reflectorKafkaEndpoint"));
	}

	@Test
	void withoutPublishers() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorKafkaEndpoint"));
	}

	@Test
	void withoutActuator() {
		this.runner.withUserConfiguration(NoPublishers.class)
			.withClassLoader(new FilteredClassLoader(ConditionalOnAvailableEndpoint.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorKafkaEndpoint"));
	}

	@Test
	void notExposed() {
		this.runner.withUserConfiguration(NoPublishers.class)
			.withPropertyValues("management.endpoints.web.exposure.include=health")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorKafkaEndpoint"));
	}

	@Test
	void backsOff() {
		this.runner.withUserConfiguration(NoPublishers.class)
			.withBean("own", KafkaPublishersEndpoint.class, () -> new KafkaPublishersEndpoint(null))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorKafkaEndpoint"));
	}

}
