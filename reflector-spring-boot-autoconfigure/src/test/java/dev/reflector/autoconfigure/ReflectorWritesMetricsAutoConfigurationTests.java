package dev.reflector.autoconfigure;

import dev.reflector.actuate.write.WriteMetrics;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.autoconfigure.fixture.writes.SiteSettings;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReflectorWritesMetricsAutoConfiguration}.
 */
class ReflectorWritesMetricsAutoConfigurationTests {

	private final ApplicationContextRunner runner = ReflectorContextRunners
		.withActuator(ReflectorContextRunners.withTypesNextTo(SiteSettings.class));

	@Test
	@Covers(in = ReflectorWritesMetricsAutoConfiguration.class, holds = true)
	void writesAreMeteredWhenThereIsARegistry() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(WriteMetrics.class));
	}

	@Test
	@Covers(in = ReflectorWritesMetricsAutoConfiguration.class, condition = "ConditionalOnClass MeterRegistry",
			holds = false)
	void withoutMicrometer() {
		this.runner.withClassLoader(new FilteredClassLoader(MeterRegistry.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorWriteMetrics"));
	}

	@Test
	@Covers(in = ReflectorWritesMetricsAutoConfiguration.class, condition = "ConditionalOnBean MeterRegistry",
			holds = false)
	void withoutMeterRegistry() {
		ReflectorContextRunners.withTypesNextTo(SiteSettings.class)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorWriteMetrics"));
	}

	@Test
	@Covers(in = ReflectorWritesMetricsAutoConfiguration.class, condition = "ConditionalOnMissingBean WriteMetrics",
			holds = false)
	void ownMetrics() {
		this.runner.withBean("own", WriteMetrics.class, WriteMetrics::new)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("own")
				.doesNotHaveBean("reflectorWriteMetrics"));
	}

	@Test
	@Covers(in = ReflectorWritesMetricsAutoConfiguration.class, condition = "ConditionalOnWrites OnWritesCondition",
			holds = false)
	void withoutTypesToApply() {
		ReflectorContextRunners.withActuator(ReflectorContextRunners.withTypesNextTo(Widget.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorWriteMetrics"));
	}

}
