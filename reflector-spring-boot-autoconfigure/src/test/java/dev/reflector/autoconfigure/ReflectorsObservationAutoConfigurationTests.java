package dev.reflector.autoconfigure;

import dev.reflector.actuate.tracing.ReflectorObservations;
import dev.reflector.autoconfigure.empty.Nothing;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.widgets.Widget;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReflectorsObservationAutoConfiguration}.
 */
class ReflectorsObservationAutoConfigurationTests {

	private final ApplicationContextRunner runner = ReflectorContextRunners
		.withActuator(ReflectorContextRunners.withTypesNextTo(Widget.class));

	@Test
	@Covers(in = ReflectorsObservationAutoConfiguration.class, holds = true)
	void observationsAreThereWhenThereIsARegistry() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(ReflectorObservations.class));
	}

	@Test
	@Covers(in = ReflectorsObservationAutoConfiguration.class, condition = "ConditionalOnClass ObservationRegistry",
			holds = false)
	void withoutObservations() {
		this.runner.withClassLoader(new FilteredClassLoader(ObservationRegistry.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorObservations"));
	}

	@Test
	@Covers(in = ReflectorsObservationAutoConfiguration.class, condition = "ConditionalOnBean ObservationRegistry",
			holds = false)
	void withoutObservationRegistry() {
		ReflectorContextRunners.withTypesNextTo(Widget.class)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorObservations"));
	}

	@Test
	@Covers(in = ReflectorsObservationAutoConfiguration.class,
			condition = "ConditionalOnMissingBean ReflectorObservations", holds = false)
	void ownObservations() {
		this.runner
			.withBean("own", ReflectorObservations.class,
					() -> new ReflectorObservations(ObservationRegistry.NOOP, null, null))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("own")
				.doesNotHaveBean("reflectorObservations"));
	}

	@Test
	@Covers(in = ReflectorsObservationAutoConfiguration.class,
			condition = "ConditionalOnReflectors OnReflectorsCondition", holds = false)
	void withoutTypes() {
		ReflectorContextRunners.withActuator(ReflectorContextRunners.withTypesNextTo(Nothing.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorObservations"));
	}

}
