package dev.reflector.autoconfigure;

import java.util.List;
import java.util.concurrent.Executor;

import dev.reflector.autoconfigure.ReflectorProperties.Binding.UnreadableType;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.autoconfigure.internal.HostName;
import dev.reflector.autoconfigure.internal.connection.AdvisedLeases;
import dev.reflector.autoconfigure.internal.connection.ApiServerClientFactory;
import dev.reflector.autoconfigure.internal.connection.ApiServerClientFactory.HttpBeans;
import dev.reflector.autoconfigure.internal.connection.ApiServerConnection;
import dev.reflector.autoconfigure.internal.connection.PermissionAdvice;
import dev.reflector.autoconfigure.internal.connection.PropertiesReflectorConnectionDetails;
import dev.reflector.autoconfigure.internal.diagnosis.TypeSchemaCheck;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.autoconfigure.internal.registration.DurableSnapshots;
import dev.reflector.autoconfigure.internal.registration.InstrumentationChain;
import dev.reflector.autoconfigure.internal.registration.LeaderDelivery;
import dev.reflector.autoconfigure.internal.registration.MatchedBeans;
import dev.reflector.autoconfigure.internal.registration.MirroredResourceTypes;
import dev.reflector.autoconfigure.internal.registration.ReflectorConfigurer;
import dev.reflector.autoconfigure.internal.registration.ReflectorDefinitions;
import dev.reflector.autoconfigure.internal.registration.ReflectorFactory;
import dev.reflector.autoconfigure.internal.registration.ReflectorSources;
import dev.reflector.autoconfigure.internal.registration.ReplicaDelivery;
import dev.reflector.autoconfigure.internal.registration.RoleOfWrites;
import dev.reflector.autoconfigure.internal.registration.ShardDelivery;
import dev.reflector.autoconfigure.registration.RbacManifest;
import dev.reflector.autoconfigure.registration.ReflectedResourceTypes;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.informer.Instrumentation;
import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.client.credentials.InClusterConfig;
import dev.reflector.event.DeliveryPolicy;
import dev.reflector.sharding.source.StaticShard;
import io.micrometer.observation.ObservationRegistry;
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
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.web.reactive.function.client.ClientRequestObservationConvention;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * The beans that make reflectors: the connection to the API server, threads, clock and
 * factory. They are created with the first reflector, so that an application without
 * reflectors does not wait for them.
 */
@Configuration(proxyBeanMethods = false)
final class ReflectorFactoryConfiguration {

	@Bean(ApiServerConnection.BEAN_NAME)
	@Lazy
	ApiServerConnection reflectorApiServerConnection(ListableBeanFactory beanFactory, ReflectorProperties properties,
			Environment environment, ObjectProvider<WebClient.Builder> webClientBuilder,
			ObjectProvider<ClientHttpConnectorBuilder<?>> connectorBuilder, ObjectProvider<HttpClientSettings> settings,
			ObjectProvider<JsonMapper> jsonMapper, ObjectProvider<ObservationRegistry> observations,
			ObjectProvider<ClientRequestObservationConvention> observationConvention, TimeSource time,
			@Qualifier("reflectorDecodeScheduler") ObjectProvider<Scheduler> decodeScheduler,
			ObjectProvider<ApiServerClientBuilderCustomizer> customizers) {
		// looked up by type, so that connection details of this context take precedence
		// over those of a parent
		ReflectorConnectionDetails details = beanFactory.getBean(ReflectorConnectionDetails.class);
		return new ApiServerConnection(details, properties.apiServer(),
				new ApiServerClientFactory(properties.apiServer(), environment,
						new HttpBeans(beanFactory, webClientBuilder, connectorBuilder, settings, observations,
								observationConvention),
						jsonMapper, time, decodeScheduler, Customizers.ofClient(customizers)));
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
			// the loop of a reflector occupies its thread until the reflector stops, so a
			// limit would block other loops
			.concurrencyLimit(SimpleAsyncTaskExecutor.UNBOUNDED_CONCURRENCY)
			// a decorator would pass on the request or observation of the calling thread,
			// but the new thread runs longer
			.taskDecorator(null)
			.build();
		executor.setDaemon(true);
		return executor;
	}

	/** The default clock. A child of this context may have a different one. */
	@Bean
	@Lazy
	@Fallback
	@ConditionalOnMissingBean(TimeSource.class)
	SystemTimeSource reflectorTimeSource() {
		return new SystemTimeSource();
	}

	@Bean
	@Lazy
	AdvisedLeases reflectorAdvisedLeases(BeanFactory beanFactory) {
		return new AdvisedLeases(advice(beanFactory));
	}

	/**
	 * Makes the permission advice. It shows the manifest of this context, even if a
	 * parent context has a manifest, too.
	 */
	private static PermissionAdvice advice(BeanFactory beanFactory) {
		return new PermissionAdvice((user) -> beanFactory.getBean(RbacManifest.class).yaml(user));
	}

	@Bean
	@Lazy
	ReflectorConfigurer reflectorConfigurer(ReflectorProperties properties, ReflectorSnapshotProperties snapshot,
			Environment environment, BeanFactory beanFactory, ObjectProvider<JsonMapper> jsonMapper,
			ObjectProvider<ReflectorOptionsCustomizer> options,
			ObjectProvider<SharedInformerBuilderCustomizer> builders, TimeSource time,
			@Qualifier("reflectorTaskExecutor") Executor threads) {
		DeliveryPolicy policy = properties.events().deliveryPolicy();
		snapshot.check(policy);
		// a snapshot store of this context takes precedence over the store of a parent
		DurableSnapshots snapshots = snapshot.enabled()
				? new DurableSnapshots(snapshot.settings(environment.getProperty("spring.application.name", "")),
						beanFactory.getBeanProvider(SnapshotStore.class), jsonMapper)
				: null;
		return new ReflectorConfigurer(properties::options, policy, snapshots, Customizers.ofOptions(options),
				Customizers.ofInformer(time, threads, builders));
	}

	@Bean(ReflectorFactory.BEAN_NAME)
	@Lazy
	ReflectorFactory reflectorFactory(ReflectorProperties properties, ReflectorShardingProperties sharding,
			Environment environment, ApiServerConnection connection, ReflectorConfigurer configurer, TimeSource time,
			ApplicationEventPublisher publisher, ObjectProvider<LeaderDelivery> ofLeader,
			ObjectProvider<ShardDelivery> ofSlots, ObjectProvider<Instrumentation> instrumentations,
			ListableBeanFactory beanFactory) {
		StaticShard shard = sharding.shard(() -> HostName.of(environment));
		sharding.check(properties, shard != null, ofLeader.getIfAvailable() != null, ofSlots.getIfAvailable() != null);
		MatchedBeans beans = new MatchedBeans(beanFactory);
		InstrumentationChain instruments = new InstrumentationChain(instrumentations);
		ReflectorSources sources = new ReflectorSources(connection, advice(beanFactory),
				properties.binding().unreadableType() == UnreadableType.FAIL, beans, instruments);
		ReplicaDelivery delivery = ReplicaDelivery.of(ofLeader.getIfAvailable(), ofSlots.getIfAvailable(), shard);
		DurableSnapshots snapshots = configurer.snapshots();
		if (snapshots != null) {
			snapshots.warnIfLocal(delivery);
		}
		return new ReflectorFactory(definitions(properties, environment), sources, configurer, delivery, publisher,
				time, beans, instruments);
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
	MirroredResourceTypes reflectedResourceTypes(ReflectorProperties properties, Environment environment,
			ConfigurableListableBeanFactory beanFactory) {
		return new MirroredResourceTypes(beanFactory, definitions(properties, environment));
	}

	@Bean
	@Lazy
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	RbacManifest reflectorRbacManifest(ReflectedResourceTypes types, Environment environment,
			ReflectorShardingProperties sharding, ReflectorSnapshotProperties snapshot, ApiServerConnection connection,
			ObjectProvider<ReflectorLeaderElectionProperties> election, ObjectProvider<RoleOfWrites> writes) {
		String application = environment.getProperty("spring.application.name", "");
		RbacManifest manifest = new RbacManifest(types, application);
		RoleOfWrites written = writes.getIfAvailable();
		if (written != null) {
			manifest = written.addTo(manifest);
		}
		if (snapshot.enabled()) {
			manifest = manifest.withSnapshots();
		}
		ReflectorLeaderElectionProperties elects = election.getIfAvailable();
		if (elects != null) {
			manifest = manifest.withElection(connection.namespace(elects.namespace()).orElse(null),
					elects.lease(application).orElse(null));
		}
		return sharding.isByLease()
				? manifest.withShards(connection.namespace(sharding.leases().namespace()).orElse(null)) : manifest;
	}

	/**
	 * Defines the connection details. They come from the properties, or else from the
	 * places where kubectl looks for them.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(value = ReflectorConnectionDetails.class, search = SearchStrategy.CURRENT)
	static class ConnectionDetails {

		/**
		 * Makes the connection details from the properties of this context. They replace
		 * the connection details that a parent context has made from the properties of
		 * the parent.
		 */
		@Bean
		@Lazy
		@ConditionalOnMissingBean(value = ReflectorConnectionDetails.class,
				ignored = PropertiesReflectorConnectionDetails.class)
		PropertiesReflectorConnectionDetails reflectorConnectionDetails(ReflectorProperties properties,
				Environment environment, ObjectProvider<SslBundles> sslBundles) {
			return new PropertiesReflectorConnectionDetails(properties.apiServer(), environment, sslBundles,
					InClusterConfig.SERVICE_ACCOUNT_FOLDER);
		}

	}

}
