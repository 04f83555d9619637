package dev.reflector.autoconfigure;

import dev.reflector.Experimental;
import dev.reflector.actuate.write.WriteMetrics;
import dev.reflector.autoconfigure.internal.hierarchy.InheritedMeterRegistry;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the meters of writes.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ReflectorWritesAutoConfiguration.class,
		afterName = {
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnWrites
@Experimental
public final class ReflectorWritesMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	WriteMetrics reflectorWriteMetrics(ListableBeanFactory beanFactory) {
		WriteMetrics metrics = new WriteMetrics();
		InheritedMeterRegistry.of(beanFactory).forEach(metrics::bindTo);
		return metrics;
	}

}
