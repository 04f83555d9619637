package dev.reflector.autoconfigure;

import java.util.stream.Stream;

import dev.reflector.actuate.metrics.ReflectorMetrics;
import dev.reflector.autoconfigure.empty.Nothing;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.widgets.Widget;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReflectorsMetricsAutoConfiguration}.
 */
class ReflectorsMetricsAutoConfigurationTests {

	private final ApplicationContextRunner runner = ReflectorContextRunners
		.withActuator(ReflectorContextRunners.withTypesNextTo(Widget.class));

	@Test
	@Covers(in = ReflectorsMetricsAutoConfiguration.class, holds = true)
	void metricsAreBoundWhenThereIsARegistry() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(ReflectorMetrics.class));
	}

	@Test
	@Covers(in = ReflectorsMetricsAutoConfiguration.class, condition = "ConditionalOnClass MeterRegistry",
			holds = false)
	void withoutMicrometer() {
		this.runner.withClassLoader(new FilteredClassLoader(MeterRegistry.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorMetrics"));
	}

	@Test
	@Covers(in = ReflectorsMetricsAutoConfiguration.class, condition = "ConditionalOnBean MeterRegistry", holds = false)
	void withoutMeterRegistry() {
		ReflectorContextRunners.withTypesNextTo(Widget.class)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorMetrics"));
	}

	@Test
	@Covers(in = ReflectorsMetricsAutoConfiguration.class, condition = "ConditionalOnMissingBean ReflectorMetrics",
			holds = false)
	void ownMetrics() {
		this.runner.withBean("own", ReflectorMetrics.class, () -> new ReflectorMetrics(Stream::empty))
			.run((context) -> assertThat(context).hasNotFailed().hasBean("own").doesNotHaveBean("reflectorMetrics"));
	}

	@Test
	@Covers(in = ReflectorsMetricsAutoConfiguration.class, condition = "ConditionalOnReflectors OnReflectorsCondition",
			holds = false)
	void withoutTypes() {
		ReflectorContextRunners.withActuator(ReflectorContextRunners.withTypesNextTo(Nothing.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorMetrics"));
	}

}
