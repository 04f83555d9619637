package dev.reflector.autoconfigure;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

import dev.reflector.Reflector;
import dev.reflector.actuate.health.ReflectorHealthIndicator;
import dev.reflector.autoconfigure.internal.diagnosis.TypeSchemaCheck;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.autoconfigure.internal.registration.NamedReflectors;
import dev.reflector.autoconfigure.internal.registration.ReflectorFactory;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.config.TimeSource;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
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
 * Auto-configuration} for the health of the reflectors. Without reflectors it is empty
 * but exists, because health groups may name it.
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
	ReflectorsHealth reflectorsHealthContributor(ConfigurableListableBeanFactory beanFactory,
			ObjectProvider<Reflector<?>> reflectors, ObjectProvider<ReflectorProperties> properties,
			ObjectProvider<ReflectorSnapshotProperties> snapshot, ObjectProvider<TimeSource> time,
			ObjectProvider<TypeSchemaCheck> schemas) {
		Function<Reflector<?>, HealthContributor> indicator = (reflector) -> checked(reflector.name(), schemas,
				indicator(reflector, properties.getObject(), snapshot.getIfAvailable(), time, beanFactory));
		BeanFactory above = beanFactory.getParentBeanFactory();
		ReflectorsHealth parent = (above != null) ? above.getBeanProvider(ReflectorsHealth.class).getIfAvailable()
				: null;
		Collection<?> local = beanFactory.getBeansOfType(Reflector.class).values();
		Map<String, HealthContributor> own = new HashMap<>();
		Map<String, HealthContributor> inherited = new HashMap<>();
		NamedReflectors.of(reflectors).forEach((reflector) -> {
			if (local.contains(reflector)) {
				own.put(reflector.name(), indicator.apply(reflector));
			}
			else {
				// the parent knows why a reflector is not to be started
				HealthContributor known = (parent != null) ? parent.getContributor(reflector.name()) : null;
				inherited.put(reflector.name(), (known != null) ? known : indicator.apply(reflector));
			}
		});
		return new ReflectorsHealth(own, inherited, parent);
	}

	/** A type that does not fit the server's schema may count as a failure. */
	private static HealthIndicator checked(String reflector, ObjectProvider<TypeSchemaCheck> schemas,
			HealthIndicator indicator) {
		TypeSchemaCheck check = schemas.getIfAvailable();
		if (check == null || !check.fails()) {
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
			@Nullable ReflectorSnapshotProperties snapshot, ObjectProvider<TimeSource> time, BeanFactory beanFactory) {
		// without bookmarks, a server sends nothing while nothing changes
		Duration stale = properties.watch().bookmarks() ? properties.health().staleThreshold() : Duration.ZERO;
		return new ReflectorHealthIndicator(reflector, properties.health().failingThreshold(), stale,
				properties.health().skippedThreshold(), (snapshot != null) ? snapshot.behindAfter() : Duration.ZERO,
				time.getIfAvailable(SystemTimeSource::new), () -> ReflectorFactory.idleReason(beanFactory, reflector));
	}

}
