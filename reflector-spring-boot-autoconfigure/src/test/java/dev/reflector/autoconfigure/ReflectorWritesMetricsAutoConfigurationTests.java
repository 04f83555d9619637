package dev.reflector.autoconfigure;

import java.time.Duration;
import java.util.List;

import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.actuate.write.WriteMetrics;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.empty.Nothing;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.autoconfigure.fixture.writes.SiteSettings;
import dev.reflector.write.WriteOperation;
import dev.reflector.write.WriteReport;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
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

	@Test
	void aChildWithoutARegistryUsesThatOfItsParent() {
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		ReflectorContextRunners.withTypesNextTo(Nothing.class)
			.withBean(MeterRegistry.class, () -> meters)
			.run((parent) -> ReflectorContextRunners.withTypesNextTo(SiteSettings.class)
				.withParent(parent)
				.run((child) -> {
					child.getBean(WriteMetrics.class)
						.written(new WriteReport(WriteOperation.APPLY, SiteSettings.class,
								ResourceType.of("example.com/v1", "Site", "sites"), ResourceKey.of("shop", "one"),
								WriteReport.Outcome.CHANGED, Duration.ofSeconds(1), List.of(), false, null));
					assertThat(meters.get("reflector.writes").timer().count()).isEqualTo(1);
				}));
	}

}
