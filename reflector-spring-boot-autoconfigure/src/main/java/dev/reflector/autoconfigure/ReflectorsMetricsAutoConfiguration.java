package dev.reflector.autoconfigure;

import java.util.Set;

import dev.reflector.Reflector;
import dev.reflector.actuate.metrics.ReflectorMetrics;
import dev.reflector.autoconfigure.internal.hierarchy.InheritedMeterRegistry;
import dev.reflector.autoconfigure.registration.ReflectorNaming;
import dev.reflector.cache.config.TimeSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the meters of the reflectors.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ReflectorAutoConfiguration.class,
		afterName = {
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnReflectors
public final class ReflectorsMetricsAutoConfiguration {

	/** Meters that Micrometer makes from the observations. */
	private static final Set<String> OBSERVATIONS = Set.of("reflector.list", "reflector.list.active",
			"reflector.delivery", "reflector.delivery.active", "reflector.delivery.retry");

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ReflectorMetrics reflectorMetrics(ObjectProvider<Reflector<?>> reflectors, TimeSource time) {
		return new ReflectorMetrics(() -> ReflectorNaming.named(reflectors), time);
	}

	/**
	 * Drops the meters that Micrometer makes from the observations. The meters of the
	 * reflectors measure the same already.
	 */
	@Bean
	static MeterFilter reflectorObservationsMeterFilter() {
		return MeterFilter.deny((id) -> OBSERVATIONS.contains(id.getName()));
	}

	@Bean
	@Lazy(false)
	static InheritedMeterRegistry reflectorInheritedMeterRegistry(ConfigurableListableBeanFactory beanFactory) {
		return new InheritedMeterRegistry(beanFactory);
	}

}
