package dev.reflector.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

import dev.reflector.autoconfigure.ReflectorProperties.Binding.UnreadableType;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.autoconfigure.internal.connection.AdvisedLeases;
import dev.reflector.autoconfigure.internal.connection.ApiServerClientFactory;
import dev.reflector.autoconfigure.internal.connection.ApiServerClientFactory.HttpBeans;
import dev.reflector.autoconfigure.internal.connection.ApiServerConnection;
import dev.reflector.autoconfigure.internal.connection.DetectedReflectorConnectionDetails;
import dev.reflector.autoconfigure.internal.connection.PermissionAdvice;
import dev.reflector.autoconfigure.internal.diagnosis.TypeSchemaCheck;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.autoconfigure.internal.registration.LeaderDelivery;
import dev.reflector.autoconfigure.internal.registration.ReflectorDefinitions;
import dev.reflector.autoconfigure.internal.registration.ReflectorFactory;
import dev.reflector.autoconfigure.internal.registration.ReflectorRuntime;
import dev.reflector.autoconfigure.internal.registration.ReflectorSources;
import dev.reflector.autoconfigure.internal.registration.ReplicaDelivery;
import dev.reflector.autoconfigure.internal.registration.ShardDelivery;
import dev.reflector.cache.config.Compatibility;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.client.credentials.InClusterConfig;
import dev.reflector.sharding.ShardField;
import dev.reflector.sharding.source.StaticShard;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.web.reactive.function.client.ClientRequestObservationConvention;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * The beans that make reflectors: the connection to the API server, threads, clock and
 * factory. They are made with the first reflector, so that an application without
 * reflectors does not wait for them.
 */
@Configuration(proxyBeanMethods = false)
final class ReflectorFactoryConfiguration {

	@Bean
	@Lazy
	@ConditionalOnMissingConnectionDetails
	DetectedReflectorConnectionDetails reflectorConnectionDetails(ReflectorProperties properties,
			Environment environment, ObjectProvider<SslBundles> sslBundles) {
		return new DetectedReflectorConnectionDetails(properties.apiServer(), environment, sslBundles,
				InClusterConfig.SERVICE_ACCOUNT_FOLDER);
	}

	@Bean(ApiServerConnection.BEAN_NAME)
	@Lazy
	ApiServerConnection reflectorApiServerConnection(BeanFactory beanFactory, ReflectorProperties properties,
			Environment environment, ObjectProvider<WebClient.Builder> webClientBuilder,
			ObjectProvider<ClientHttpConnectorBuilder<?>> connectorBuilder, ObjectProvider<HttpClientSettings> settings,
			ObjectProvider<JsonMapper> jsonMapper, ObjectProvider<ObservationRegistry> observations,
			ObjectProvider<ClientRequestObservationConvention> observationConvention, TimeSource time,
			@Qualifier("reflectorDecodeScheduler") ObjectProvider<Scheduler> decodeScheduler) {
		// by type: the details of this context, even when a parent has some, too
		ReflectorConnectionDetails details = beanFactory.getBean(ReflectorConnectionDetails.class);
		return new ApiServerConnection(details, properties.apiServer(),
				new ApiServerClientFactory(properties.apiServer(), environment, new HttpBeans(webClientBuilder,
						connectorBuilder, settings, observations, observationConvention), jsonMapper, time,
						decodeScheduler));
	}

	@Bean(defaultCandidate = false, destroyMethod = "dispose")
	@Lazy
	@ConditionalOnMissingBean(name = "reflectorDecodeScheduler")
	Scheduler reflectorDecodeScheduler() {
		return Schedulers.newParallel("reflector-decode", Runtime.getRuntime().availableProcessors(), true);
	}

	@Bean(defaultCandidate = false)
	@Lazy
	@ConditionalOnMissingBean(name = "reflectorTaskExecutor")
	SimpleAsyncTaskExecutor reflectorTaskExecutor(ObjectProvider<SimpleAsyncTaskExecutorBuilder> builder) {
		SimpleAsyncTaskExecutor executor = builder.getIfAvailable(SimpleAsyncTaskExecutorBuilder::new)
			.threadNamePrefix("reflector-")
			// loops do not end while a reflector runs: a limit would block others
			.concurrencyLimit(SimpleAsyncTaskExecutor.UNBOUNDED_CONCURRENCY)
			// a thread outlives the request or observation that starts it
			.taskDecorator(null)
			.build();
		executor.setDaemon(true);
		return executor;
	}

	@Bean
	@Lazy
	@ConditionalOnMissingBean(TimeSource.class)
	SystemTimeSource reflectorTimeSource() {
		return new SystemTimeSource();
	}

	@Bean
	@Lazy
	AdvisedLeases reflectorAdvisedLeases(ObjectProvider<RbacManifest> manifest) {
		return new AdvisedLeases(new PermissionAdvice((user) -> manifest.getObject().yaml(user)));
	}

	@Bean(ReflectorFactory.BEAN_NAME)
	@Lazy
	ReflectorFactory reflectorFactory(ReflectorProperties properties, ReflectorSnapshotProperties snapshot,
			ReflectorShardingProperties sharding, Environment environment, ApiServerConnection connection,
			TimeSource time, @Qualifier("reflectorTaskExecutor") Executor threads, ApplicationEventPublisher publisher,
			ObjectProvider<LeaderDelivery> delivery, ObjectProvider<ShardDelivery> shards,
			ListableBeanFactory beanFactory) {
		LeaderDelivery ofLeader = delivery.getIfAvailable();
		StaticShard shard = sharding.shard(() -> HostName.of(environment));
		if ((shard != null || sharding.isByLease()) && ofLeader != null) {
			throw new ReflectorConfigurationException(
					"Each replica has its own share of the objects ('reflector.sharding.enabled'), and only the leader "
							+ "tells its listeners ('reflector.leader-election.events'): nobody would hear of the "
							+ "shares of the others.",
					"Set 'reflector.leader-election.events=all', or 'reflector.sharding.enabled=false'.");
		}
		ShardDelivery ofSlots = shards.getIfAvailable();
		if (sharding.isByLease() && ofSlots == null) {
			throw new ReflectorConfigurationException(
					"Replicas are to divide the objects among them by Leases ('reflector.sharding.enabled'), and "
							+ "ReflectorShardingAutoConfiguration, which does that, is not there.",
					"Do not exclude it, and define no bean of type ShardMembership; or set "
							+ "'reflector.sharding.leases.enabled=false'.");
		}
		if (sharding.isByLease() && sharding.field() == ShardField.UID
				&& (!properties.events().detectRecreation() || properties.compatibility() == Compatibility.CLIENT_GO)) {
			throw new ReflectorConfigurationException(
					"Objects are divided by their UID, and an object that is created again would be told as an update: its "
							+ "slot changes, and nobody would tell of the deletion.",
					"Set 'reflector.events.detect-recreation=true' and 'reflector.compatibility=none', or "
							+ "'reflector.sharding.field=namespace'.");
		}
		PermissionAdvice advice = new PermissionAdvice((user) -> beanFactory.getBean(RbacManifest.class).yaml(user));
		return new ReflectorFactory(definitions(properties, environment),
				new ReflectorSources(connection, advice, properties.binding().unreadableType() == UnreadableType.FAIL,
						beanFactory),
				new PropertiesReflectorSettings(properties, snapshot,
						environment.getProperty("spring.application.name", ""), shard, beanFactory),
				new ReflectorRuntime(time, threads, publisher, delivery(ofLeader, ofSlots, shard)), beanFactory);
	}

	private static ReplicaDelivery delivery(@Nullable LeaderDelivery ofLeader, @Nullable ShardDelivery ofSlots,
			@Nullable StaticShard shard) {
		if (ofLeader != null) {
			return ofLeader;
		}
		return (ofSlots != null) ? ofSlots
				: (shard != null) ? new ReplicaDelivery.FixedShare(shard) : new ReplicaDelivery.Everything();
	}

	@Bean
	@Lazy(false)
	TypeSchemaCheck reflectorTypeSchemaCheck(ReflectorLifecycle lifecycle,
			ObjectProvider<ReflectorProperties> properties, ConfigurableListableBeanFactory beanFactory,
			ObjectProvider<ApiServerConnection> connection,
			@Qualifier("reflectorTaskExecutor") ObjectProvider<Executor> threads) {
		return new TypeSchemaCheck(lifecycle,
				() -> (properties.getObject().schemaCheck() != ReflectorProperties.SchemaCheck.OFF)
						? ReflectorFactory.inUse(beanFactory)
							.map(ReflectorFactory::definitionsOfServer)
							.orElse(List.of())
						: List.of(),
				connection::getObject, (task) -> threads.getObject().execute(task),
				() -> schemaCheck(properties.getObject()));
	}

	private static TypeSchemaCheck.Settings schemaCheck(ReflectorProperties properties) {
		ReflectorProperties.Startup startup = properties.startup();
		return new TypeSchemaCheck.Settings(properties.schemaCheck() == ReflectorProperties.SchemaCheck.FAIL,
				startup.waitForSync(), startup.waitForSync() && startup.strict(), startup.timeout());
	}

	private static ReflectorDefinitions definitions(ReflectorProperties properties, Environment environment) {
		return new ReflectorDefinitions(properties.resources(), properties.resyncPeriod(),
				properties.apiServer().namespace(), environment);
	}

	@Bean
	@Lazy
	ReflectedResourceTypes reflectedResourceTypes(ReflectorProperties properties, Environment environment,
			ConfigurableListableBeanFactory beanFactory) {
		return new ReflectedResourceTypes(beanFactory, definitions(properties, environment));
	}

	@Bean
	@Lazy
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	RbacManifest reflectorRbacManifest(ReflectedResourceTypes types, Environment environment,
			ReflectorProperties properties, ReflectorShardingProperties sharding, ApiServerConnection connection,
			ObjectProvider<ReflectorLeaderElectionProperties> election) {
		ReflectorLeaderElectionProperties elects = election.getIfAvailable();
		String application = environment.getProperty("spring.application.name", "");
		List<RbacManifest.Leases> leases = new ArrayList<>();
		if (elects != null) {
			leases.add(RbacManifest.Leases.ofElection(elects.namespace(properties.apiServer(), connection.namespace())
				.orElse(RbacManifest.UNKNOWN_NAMESPACE), elects.lease(application).orElse("")));
		}
		if (sharding.isByLease()) {
			leases.add(RbacManifest.Leases.ofShards(sharding.leases()
				.namespace(properties.apiServer(), connection.namespace())
				.orElse(RbacManifest.UNKNOWN_NAMESPACE)));
		}
		return new RbacManifest(types, application, leases);
	}

}
