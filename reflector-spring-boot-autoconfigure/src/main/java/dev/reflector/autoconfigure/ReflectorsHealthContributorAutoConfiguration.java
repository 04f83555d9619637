package dev.reflector.autoconfigure;

import java.time.Duration;

import dev.reflector.Reflector;
import dev.reflector.actuate.health.ReflectorHealthIndicator;
import dev.reflector.autoconfigure.internal.diagnosis.TypeSchemaCheck;
import dev.reflector.autoconfigure.internal.hierarchy.ReflectorsHealth;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.autoconfigure.internal.registration.ReflectorFactory;
import dev.reflector.cache.config.TimeSource;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the health of the reflectors. Without reflectors, the
 * contributor exists but is empty, because health groups may name it.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ReflectorAutoConfiguration.class)
@ConditionalOnClass({ HealthContributor.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnEnabledHealthIndicator("reflectors")
@ConditionalOnBean(value = ReflectorLifecycle.class, search = SearchStrategy.CURRENT)
public final class ReflectorsHealthContributorAutoConfiguration {

	@Bean
	@Lazy(false)
	@ConditionalOnMissingBean(name = { "reflectorsHealthIndicator", "reflectorsHealthContributor" },
			search = SearchStrategy.CURRENT)
	ReflectorsHealth reflectorsHealthContributor(ListableBeanFactory beanFactory,
			ObjectProvider<ReflectorProperties> properties, ObjectProvider<ReflectorSnapshotProperties> snapshot,
			ObjectProvider<TimeSource> time, ObjectProvider<TypeSchemaCheck> schemas) {
		return ReflectorsHealth.of(beanFactory, (reflector) -> checked(reflector.name(), schemas,
				indicator(reflector, properties.getObject(), snapshot.getObject(), time.getObject(), beanFactory)));
	}

	/**
	 * Returns the indicator, extended by the schema check: if
	 * {@code reflector.schema-check} is {@code fail}, the status is also {@code DOWN}
	 * when the type does not fit the server's schema.
	 */
	private static HealthIndicator checked(String reflector, ObjectProvider<TypeSchemaCheck> schemas,
			HealthIndicator indicator) {
		TypeSchemaCheck check = schemas.getObject();
		if (!check.fails()) {
			return indicator;
		}
		return () -> {
			Health health = indicator.health();
			String failure = check.failure(reflector);
			return (failure == null || health == null) ? health
					: Health.down().withDetails(health.getDetails()).withDetail("reason", failure).build();
		};
	}

	private static ReflectorHealthIndicator indicator(Reflector<?> reflector, ReflectorProperties properties,
			ReflectorSnapshotProperties snapshot, TimeSource time, BeanFactory beanFactory) {
		// if bookmarks are not requested, the server sends nothing while nothing changes
		Duration stale = properties.watch().bookmarks() ? properties.health().staleThreshold() : Duration.ZERO;
		return new ReflectorHealthIndicator(reflector, properties.health().failingThreshold(), stale,
				properties.health().skippedThreshold(), snapshot.behindAfter(), time,
				() -> ReflectorFactory.idleReason(beanFactory, reflector));
	}

}
