package dev.reflector.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

import dev.reflector.Reflector;
import dev.reflector.actuate.ReflectorHealthIndicator;
import dev.reflector.cache.TimeSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the health of the reflectors.
 */
@AutoConfiguration(after = ReflectorAutoConfiguration.class)
@ConditionalOnClass({ HealthContributor.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnEnabledHealthIndicator("reflectors")
@ConditionalOnBean({ ReflectorFactory.class, Reflector.class })
public final class ReflectorsHealthContributorAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = { "reflectorsHealthIndicator", "reflectorsHealthContributor" })
	CompositeHealthContributor reflectorsHealthContributor(ObjectProvider<Reflector<?>> reflectors,
			ReflectorProperties properties, TimeSource time, ReflectorFactory factory) {
		Map<String, ReflectorHealthIndicator> indicators = new TreeMap<>();
		// without bookmarks, a server has nothing to say while nothing changes
		Duration stale = properties.watch().bookmarks() ? properties.health().staleThreshold() : Duration.ZERO;
		reflectors.forEach((reflector) -> indicators.put(reflector.name(), new ReflectorHealthIndicator(reflector,
				properties.health().failingThreshold(), stale, time, () -> factory.idleReason(reflector))));
		return CompositeHealthContributor.fromMap(indicators);
	}

}
