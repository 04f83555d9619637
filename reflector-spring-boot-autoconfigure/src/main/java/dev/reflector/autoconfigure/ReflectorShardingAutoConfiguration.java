package dev.reflector.autoconfigure;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executor;

import dev.reflector.actuate.health.ShardMembershipHealthIndicator;
import dev.reflector.actuate.metrics.ShardMembershipMetrics;
import dev.reflector.autoconfigure.ReflectorShardingProperties.Leases;
import dev.reflector.autoconfigure.internal.HostName;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.autoconfigure.internal.connection.AdvisedLeases;
import dev.reflector.autoconfigure.internal.connection.ApiServerConnection;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.autoconfigure.internal.lifecycle.ShardMembershipLifecycle;
import dev.reflector.autoconfigure.internal.registration.ShardDelivery;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.client.ApiServerClient;
import dev.reflector.event.ReplicaEventPublisher;
import dev.reflector.sharding.ShardAssignment;
import dev.reflector.sharding.Slots;
import dev.reflector.sharding.membership.MemberStore;
import dev.reflector.sharding.membership.ShardMembership;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for replicas that divide the mirrored objects among themselves and
 * find each other through Leases. A child context uses the shard membership of its
 * parent.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ReflectorAutoConfiguration.class)
@ConditionalOnBooleanProperty("reflector.sharding.enabled")
@ConditionalOnBooleanProperty(name = "reflector.sharding.leases.enabled", matchIfMissing = true)
@ConditionalOnBean(value = ReflectorLifecycle.class, search = SearchStrategy.CURRENT)
@ConditionalOnMissingBean(ShardMembership.class)
public final class ReflectorShardingAutoConfiguration {

	private static final int MAX_GROUP = 63;

	@Bean
	ShardDelivery reflectorShardDelivery(ReflectorShardingProperties properties, ReflectorProperties reflectors,
			Environment environment, ObjectProvider<ShardMembership> membership, ApplicationEventPublisher publisher,
			TimeSource time) {
		Duration patience = properties.leases().renewDeadline();
		return new ShardDelivery(membership::getObject, new Slots(properties.slots()), properties.field(),
				identity(properties.leases(), environment), patience,
				new ReplicaEventPublisher(publisher, reflectors.events().slowListenerThreshold(), patience, time));
	}

	@Bean
	ShardMembership reflectorShardMembership(ReflectorShardingProperties properties, Environment environment,
			ApiServerConnection connection, TimeSource time, @Qualifier("reflectorTaskExecutor") Executor threads,
			ShardDelivery delivery, AdvisedLeases advised) {
		ApiServerClient client = connection.client()
			.orElseThrow(() -> new ReflectorConfigurationException(
					"Sharding needs an API server for the Leases of the replicas, but none is configured or found.",
					"Set 'reflector.api-server.url' or 'reflector.api-server.kubeconfig', or switch Leases off "
							+ "with 'reflector.sharding.leases.enabled=false' and "
							+ "'reflector.sharding.assignment=fixed'."));
		Leases leases = properties.leases();
		MemberStore store = advised.members(client.shardMembers(namespace(leases, connection),
				group(leases, environment), identity(leases, environment)));
		ShardAssignment assignment = properties.assignment(() -> HostName.of(environment));
		String application = environment.getProperty("spring.application.name", "");
		return new ShardMembership(store, assignment, leases.config(), () -> delivery.settings(application), delivery,
				time, threads);
	}

	@Bean
	ShardMembershipLifecycle reflectorShardMembershipLifecycle(ShardMembership membership, ShardDelivery delivery) {
		return new ShardMembershipLifecycle(membership, delivery);
	}

	@Bean
	ShardMembershipLifecycle.Joining reflectorShardMembershipJoining(ShardMembershipLifecycle lifecycle) {
		return new ShardMembershipLifecycle.Joining(lifecycle);
	}

	private static String namespace(Leases leases, ApiServerConnection connection) {
		return connection.namespace(leases.namespace())
			.orElseThrow(() -> new ReflectorConfigurationException(
					"Sharding needs a namespace for the Leases of the replicas, and this is not a pod with a service "
							+ "account.",
					"Set 'reflector.sharding.leases.namespace' or 'reflector.api-server.namespace', or switch "
							+ "Leases off with 'reflector.sharding.leases.enabled=false'."));
	}

	private static String group(Leases leases, Environment environment) {
		if (leases.group() != null) {
			return leases.group();
		}
		String application = uniform(environment.getProperty("spring.application.name", ""));
		String group = trimmed(application.substring(0, Math.min(application.length(), MAX_GROUP)));
		if (group.isEmpty()) {
			throw new ReflectorConfigurationException("Sharding needs a name for the group of replicas.",
					"Set 'reflector.sharding.leases.group' or 'spring.application.name'.");
		}
		return group;
	}

	private static String identity(Leases leases, Environment environment) {
		return (leases.identity() != null) ? leases.identity() : trimmed(uniform(HostName.of(environment)));
	}

	private static String uniform(String name) {
		return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]+", "-");
	}

	private static String trimmed(String name) {
		return name.replaceAll("^-+|-+$", "");
	}

	/** Meters of the shard membership. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	static class Metrics {

		@Bean
		@ConditionalOnMissingBean
		ShardMembershipMetrics reflectorShardMembershipMetrics(ShardMembership membership) {
			return new ShardMembershipMetrics(membership);
		}

	}

	/** Health of the shard membership. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ HealthContributor.class, ConditionalOnEnabledHealthIndicator.class })
	static class HealthOfMembership {

		@Bean
		@ConditionalOnEnabledHealthIndicator("shards")
		@ConditionalOnMissingBean(name = { "shardsHealthIndicator", "shardsHealthContributor" })
		ShardMembershipHealthIndicator shardsHealthIndicator(ShardMembership membership) {
			return new ShardMembershipHealthIndicator(membership);
		}

	}

}
