package dev.reflector.autoconfigure;

import java.util.List;
import java.util.concurrent.Executor;

import dev.reflector.cache.SharedInformer;
import dev.reflector.cache.SystemTimeSource;
import dev.reflector.cache.TimeSource;
import dev.reflector.client.InClusterConfig;
import dev.reflector.event.ReflectorEventListenerFactory;
import dev.reflector.event.ReflectorListenerBeans;
import io.micrometer.observation.ObservationRegistry;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.core.env.Environment;
import org.springframework.core.metrics.ApplicationStartup;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.web.reactive.function.client.ClientRequestObservationConvention;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for reflectors: one reflector, one lister and one stream of events
 * for each type annotated with
 * {@link dev.reflector.ReflectedResource @ReflectedResource}. Beans that only a reflector
 * needs are made with the first one, so an application that has none does not wait for
 * them when it starts.
 *
 * @since 0.1.0
 */
// the executor of the application is made whatever there is for reflectors
@AutoConfiguration(after = TaskExecutionAutoConfiguration.class)
@ConditionalOnClass(WebClient.class)
@ConditionalOnBooleanProperty(name = "reflector.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ReflectorProperties.class)
@Import(ReflectorBeansRegistrar.class)
public final class ReflectorAutoConfiguration {

	@Bean
	@Lazy
	@ConditionalOnMissingConnectionDetails
	DetectedReflectorConnectionDetails reflectorConnectionDetails(ReflectorProperties properties,
			Environment environment, ObjectProvider<SslBundles> sslBundles) {
		return new DetectedReflectorConnectionDetails(properties.apiServer(), environment, sslBundles,
				InClusterConfig.SERVICE_ACCOUNT_FOLDER);
	}

	@Bean
	@Lazy
	ApiServerConnection reflectorApiServerConnection(BeanFactory beanFactory, ReflectorProperties properties,
			Environment environment, ObjectProvider<WebClient.Builder> webClientBuilder,
			ObjectProvider<ClientHttpConnectorBuilder<?>> connectorBuilder, ObjectProvider<HttpClientSettings> settings,
			ObjectProvider<JsonMapper> jsonMapper, ObjectProvider<ObservationRegistry> observations,
			ObjectProvider<ClientRequestObservationConvention> observationConvention, TimeSource time,
			@Qualifier("reflectorDecodeScheduler") ObjectProvider<Scheduler> decodeScheduler) {
		// that of this context, where a parent has one, too
		ReflectorConnectionDetails details = beanFactory.getBean(ReflectorConnectionDetails.class);
		return new ApiServerConnection(details, properties.apiServer().required(),
				new ApiServerClientFactory(properties.apiServer(), environment, webClientBuilder, connectorBuilder,
						settings, jsonMapper, observations, observationConvention, time, decodeScheduler));
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
			// the loops of the reflectors never end: a limit would keep some from
			// starting
			.concurrencyLimit(SimpleAsyncTaskExecutor.UNBOUNDED_CONCURRENCY)
			// nor does the context of whoever starts a thread belong to what it does
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

	@Bean(ReflectorFactory.BEAN_NAME)
	@Lazy
	ReflectorFactory reflectorFactory(ReflectorProperties properties, Environment environment,
			ApiServerConnection connection, TimeSource time, @Qualifier("reflectorTaskExecutor") Executor threads,
			ApplicationEventPublisher publisher, ListableBeanFactory beanFactory) {
		return new ReflectorFactory(properties, new ReflectorDefinitions(properties, environment), connection, time,
				threads, publisher, beanFactory);
	}

	@Bean
	static ReflectorSettingsCheck reflectorSettingsCheck(Environment environment, ListableBeanFactory beanFactory) {
		return new ReflectorSettingsCheck(environment, beanFactory);
	}

	@Bean
	static ReflectorBeansCheck reflectorBeansCheck(ConfigurableListableBeanFactory beanFactory) {
		return new ReflectorBeansCheck(beanFactory);
	}

	@Bean
	@Lazy
	ReflectedResourceTypes reflectedResourceTypes(ReflectorProperties properties, Environment environment,
			ConfigurableListableBeanFactory beanFactory) {
		return new ReflectedResourceTypes(beanFactory, new ReflectorDefinitions(properties, environment));
	}

	@Bean
	@Lazy
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	RbacManifest reflectorRbacManifest(ReflectedResourceTypes types, Environment environment) {
		return new RbacManifest(types, environment.getProperty("spring.application.name", ""));
	}

	@Bean
	static ReflectedResourceRegistrations reflectedResourceRegistrations(Environment environment) {
		return new ReflectedResourceRegistrations(environment);
	}

	@Bean
	static ReflectorQualifiers reflectorQualifiers(Environment environment) {
		return new ReflectorQualifiers(environment);
	}

	@Bean
	static ReflectorEventListenerFactory reflectorEventListenerFactory() {
		return new ReflectorEventListenerFactory();
	}

	@Bean
	static ReflectorListenerBeans reflectorListenerBeans(ConfigurableListableBeanFactory beanFactory) {
		return new ReflectorListenerBeans(beanFactory);
	}

	@Bean
	ReflectorLifecycle reflectorLifecycle(ListableBeanFactory beanFactory, ObjectProvider<ReflectorFactory> factory,
			ObjectProvider<ReflectorProperties> properties, ObjectProvider<ApiServerConnection> connection,
			ApplicationStartup startup) {
		return new ReflectorLifecycle(() -> managed(beanFactory, factory, startup),
				() -> properties.getObject().keepAlive(),
				new StrictStart(() -> properties.getObject().startup(), startup), () -> connection.getObject().close());
	}

	/** Of this context alone: its parents start and stop their own. */
	private static List<ManagedReflector> managed(ListableBeanFactory beanFactory,
			ObjectProvider<ReflectorFactory> factory, ApplicationStartup startup) {
		var informers = beanFactory.getBeansOfType(SharedInformer.class).values();
		if (informers.isEmpty()) {
			return List.of();
		}
		ReflectorFactory reasons = factory.getObject();
		return informers.stream()
			.filter((informer) -> NamedReflectors.name(informer) != null)
			.sorted(AnnotationAwareOrderComparator.INSTANCE)
			.filter((informer) -> reasons.idleReason(informer) == null)
			.map((informer) -> ManagedReflector.of(informer).recordedBy(startup))
			.toList();
	}

	@Bean
	InheritedReflectors inheritedReflectors(ConfigurableListableBeanFactory beanFactory,
			ObjectProvider<ReflectorProperties> properties, ObjectProvider<TimeSource> time) {
		return new InheritedReflectors(beanFactory, properties, time);
	}

	@Bean
	ReflectorStartupRunner reflectorStartupRunner(ReflectorLifecycle lifecycle,
			ObjectProvider<ReflectorProperties> properties, ApplicationStartup startup) {
		return new ReflectorStartupRunner(lifecycle::started, () -> properties.getObject().startup(), startup);
	}

}
