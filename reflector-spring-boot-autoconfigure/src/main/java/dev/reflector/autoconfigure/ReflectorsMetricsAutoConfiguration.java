package dev.reflector.autoconfigure;

import dev.reflector.Reflector;
import dev.reflector.actuate.ReflectorMetrics;
import dev.reflector.cache.TimeSource;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the meters of the reflectors.
 */
@AutoConfiguration(after = ReflectorAutoConfiguration.class,
		afterName = {
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({ MeterRegistry.class, ReflectorFactory.class, Reflector.class })
public final class ReflectorsMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ReflectorMetrics reflectorMetrics(ObjectProvider<Reflector<?>> reflectors, TimeSource time) {
		return new ReflectorMetrics(reflectors::stream, time);
	}

	@Bean
	ReflectorObserverFactory reflectorMetricsObserverFactory(ReflectorMetrics metrics) {
		return metrics::observer;
	}

}
