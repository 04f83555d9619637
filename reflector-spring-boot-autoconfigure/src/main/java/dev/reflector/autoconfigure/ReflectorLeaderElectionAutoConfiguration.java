package dev.reflector.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import dev.reflector.LeasePurpose;
import dev.reflector.actuate.health.LeaderElectionHealthIndicator;
import dev.reflector.actuate.metrics.LeaderElectionMetrics;
import dev.reflector.autoconfigure.internal.HostName;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.autoconfigure.internal.connection.AdvisedLeases;
import dev.reflector.autoconfigure.internal.connection.ApiServerConnection;
import dev.reflector.autoconfigure.internal.lifecycle.AllLeaderCallbacks;
import dev.reflector.autoconfigure.internal.lifecycle.IntegrationLeaderEvents;
import dev.reflector.autoconfigure.internal.lifecycle.LeaderElectionLifecycle;
import dev.reflector.autoconfigure.internal.lifecycle.LeaderElectionPublisher;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.autoconfigure.internal.registration.LeaderDelivery;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.client.ApiServerClient;
import dev.reflector.event.ReplicaEventPublisher;
import dev.reflector.leaderelection.LeaderCallbacks;
import dev.reflector.leaderelection.LeaderElector;
import dev.reflector.leaderelection.ResourceLock;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the election of a leader among the replicas of the application.
 * A child context takes part in the election of its parent.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ReflectorAutoConfiguration.class)
@ConditionalOnBooleanProperty("reflector.leader-election.enabled")
@ConditionalOnBean(value = ReflectorLifecycle.class, search = SearchStrategy.CURRENT)
@ConditionalOnMissingBean(LeaderElector.class)
@EnableConfigurationProperties(ReflectorLeaderElectionProperties.class)
public final class ReflectorLeaderElectionAutoConfiguration {

	@Bean
	LeaderElector reflectorLeaderElector(ReflectorLeaderElectionProperties properties, Environment environment,
			ApiServerConnection connection, TimeSource time, @Qualifier("reflectorTaskExecutor") Executor threads,
			ReplicaEventPublisher publisher, ObjectProvider<LeaderDelivery> delivery, ObjectProvider<LeaderEvents> more,
			AdvisedLeases leases) {
		ApiServerClient client = connection.client()
			.orElseThrow(() -> new ReflectorConfigurationException(
					"Leader election needs an API server, but none is configured or found.",
					"Set 'reflector.api-server.url' or 'reflector.api-server.kubeconfig', or switch it off with "
							+ "'reflector.leader-election.enabled=false'."));
		LeaderDelivery delivering = delivery.getIfAvailable();
		Supplier<List<String>> types = (delivering != null) ? delivering::types : List::of;
		String application = environment.getProperty("spring.application.name", "");
		ResourceLock lock = leases.lock(client.leaseLock(namespace(properties, connection),
				name(properties, environment), identity(properties, environment),
				() -> LeasePurpose.of(LeasePurpose.LEADER_ELECTION, application, types.get())));
		List<LeaderCallbacks> callbacks = new ArrayList<>(List.of(new LeaderElectionPublisher(lock, publisher)));
		more.ifAvailable((events) -> callbacks.add(events.of(lock)));
		if (delivering != null) {
			callbacks.add(delivering);
		}
		return new LeaderElector(lock, properties.config(), new AllLeaderCallbacks(callbacks), time, threads);
	}

	@Bean
	ReplicaEventPublisher reflectorLeaderEventPublisher(ReflectorLeaderElectionProperties properties,
			ReflectorProperties reflectors, ApplicationEventPublisher publisher, TimeSource time) {
		Duration threshold = reflectors.events().slowListenerThreshold();
		return new ReplicaEventPublisher(publisher, threshold,
				threshold.isZero() ? properties.renewDeadline() : threshold, time);
	}

	@Bean
	@ConditionalOnProperty(name = "reflector.leader-election.events", havingValue = "leader")
	LeaderDelivery reflectorLeaderDelivery(ReflectorLeaderElectionProperties properties,
			ObjectProvider<LeaderElector> elector) {
		return new LeaderDelivery(elector::getObject, properties.renewDeadline());
	}

	@Bean
	LeaderElectionLifecycle reflectorLeaderElectionLifecycle(LeaderElector elector,
			ObjectProvider<LeaderDelivery> delivery) {
		LeaderDelivery delivering = delivery.getIfAvailable();
		return new LeaderElectionLifecycle(elector, (delivering != null) ? delivering::leave : () -> {
		});
	}

	/** Makes callbacks that publish events in addition to the events of this library. */
	interface LeaderEvents {

		LeaderCallbacks of(ResourceLock lock);

	}

	/** Publishes the leader events of Spring Integration. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "org.springframework.integration.leader.event.OnGrantedEvent")
	static class Integration {

		@Bean
		LeaderEvents reflectorIntegrationLeaderEvents(ObjectProvider<LeaderElector> elector,
				ReplicaEventPublisher publisher) {
			// the description of a lock is its namespace, a slash and its name
			return (lock) -> new IntegrationLeaderEvents(lock.describe().substring(lock.describe().indexOf('/') + 1),
					elector, publisher);
		}

	}

	/** Meters of the leader election. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	static class Metrics {

		@Bean
		@ConditionalOnMissingBean
		LeaderElectionMetrics reflectorLeaderElectionMetrics(LeaderElector elector) {
			return new LeaderElectionMetrics(elector);
		}

	}

	/** Health of the leader election. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ HealthContributor.class, ConditionalOnEnabledHealthIndicator.class })
	static class HealthOfElection {

		@Bean
		@ConditionalOnEnabledHealthIndicator("leader-election")
		@ConditionalOnMissingBean(name = { "leaderElectionHealthIndicator", "leaderElectionHealthContributor" })
		LeaderElectionHealthIndicator leaderElectionHealthIndicator(LeaderElector elector,
				ReplicaEventPublisher publisher) {
			return new LeaderElectionHealthIndicator(elector, publisher::busy);
		}

	}

	private static String name(ReflectorLeaderElectionProperties properties, Environment environment) {
		return properties.lease(environment.getProperty("spring.application.name", ""))
			.orElseThrow(() -> new ReflectorConfigurationException("Leader election needs a name for its Lease.",
					"Set 'reflector.leader-election.name' or 'spring.application.name'."));
	}

	private static String namespace(ReflectorLeaderElectionProperties properties, ApiServerConnection connection) {
		return connection.namespace(properties.namespace())
			.orElseThrow(() -> new ReflectorConfigurationException(
					"Leader election needs a namespace for its Lease, and this is not a pod with a service account.",
					"Set 'reflector.leader-election.namespace' or 'reflector.api-server.namespace'."));
	}

	/**
	 * Returns the configured identity, or else a new identity at each start: the host
	 * name and a random text, as is usual with client-go.
	 */
	private static String identity(ReflectorLeaderElectionProperties properties, Environment environment) {
		if (properties.identity() != null) {
			return properties.identity();
		}
		return HostName.of(environment) + "_" + UUID.randomUUID();
	}

}
