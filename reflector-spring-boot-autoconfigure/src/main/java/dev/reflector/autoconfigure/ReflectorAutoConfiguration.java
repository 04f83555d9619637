package dev.reflector.autoconfigure;

import java.util.concurrent.Executor;

import dev.reflector.cache.SharedInformer;
import dev.reflector.cache.SystemTimeSource;
import dev.reflector.cache.TimeSource;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.InClusterConfig;
import dev.reflector.event.ReflectorEventListenerFactory;
import dev.reflector.event.ReflectorListenerBeans;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.autoconfigure.reactive.ReactiveHttpClientAutoConfiguration;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.boot.webclient.autoconfigure.WebClientAutoConfiguration;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.core.env.Environment;
import org.springframework.core.metrics.ApplicationStartup;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for reflectors: one reflector, one lister and one stream of events
 * for each type annotated with
 * {@link dev.reflector.ReflectedResource @ReflectedResource}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { JacksonAutoConfiguration.class, ReactiveHttpClientAutoConfiguration.class,
		TaskExecutionAutoConfiguration.class, WebClientAutoConfiguration.class })
@ConditionalOnClass(WebClient.class)
@ConditionalOnBooleanProperty(name = "reflector.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ReflectorProperties.class)
@Import(ReflectorBeansRegistrar.class)
public final class ReflectorAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(ReflectorConnectionDetails.class)
	DetectedReflectorConnectionDetails reflectorConnectionDetails(ReflectorProperties properties,
			Environment environment, ObjectProvider<SslBundles> sslBundles) {
		return new DetectedReflectorConnectionDetails(properties.apiServer(), environment, sslBundles,
				InClusterConfig.SERVICE_ACCOUNT_FOLDER);
	}

	@Bean
	ApiServerConnection reflectorApiServerConnection(ReflectorConnectionDetails details, ReflectorProperties properties,
			Environment environment, ObjectProvider<WebClient.Builder> webClientBuilder,
			ObjectProvider<ClientHttpConnectorBuilder<?>> connectorBuilder, ObjectProvider<HttpClientSettings> settings,
			ObjectProvider<JsonMapper> jsonMapper, TimeSource time,
			@Qualifier("reflectorDecodeScheduler") ObjectProvider<Scheduler> decodeScheduler) {
		ReflectorProperties.ApiServer apiServer = properties.apiServer();
		ApiServerClient.Options options = new ApiServerClient.Options(apiServer.httpVersion(),
				new ApiServerClient.Timeouts(apiServer.connectTimeout(), apiServer.responseTimeout(),
						apiServer.idleTimeout()),
				apiServer.maxListConnections(), apiServer.maxObjectSize(), userAgent(environment));
		return new ApiServerConnection(details, apiServer.required(),
				(server) -> new ApiServerClient(webClientBuilder.getIfAvailable(WebClient::builder),
						connectorBuilder.getIfAvailable(ClientHttpConnectorBuilder::detect),
						settings.getIfAvailable(HttpClientSettings::defaults),
						jsonMapper.getIfAvailable(JsonMapper::new), server, options, decodeScheduler.getObject(),
						time));
	}

	/** The application first, as the name that operators of the server look for. */
	private static String userAgent(Environment environment) {
		String library = product("reflector-spring-boot",
				ReflectorAutoConfiguration.class.getPackage().getImplementationVersion());
		String application = product(environment.getProperty("spring.application.name"),
				environment.getProperty("spring.application.version"));
		return application.isEmpty() ? library : application + " " + library;
	}

	private static String product(@Nullable String name, @Nullable String version) {
		String product = token(name);
		String suffix = token(version);
		return (product.isEmpty() || suffix.isEmpty()) ? product : product + "/" + suffix;
	}

	/** What may stand in the header without quotes. */
	private static String token(@Nullable String text) {
		return (text != null) ? text.replaceAll("[^A-Za-z0-9._+-]", "") : "";
	}

	@Bean(defaultCandidate = false, destroyMethod = "dispose")
	@ConditionalOnMissingBean(name = "reflectorDecodeScheduler")
	Scheduler reflectorDecodeScheduler() {
		return Schedulers.newParallel("reflector-decode", Runtime.getRuntime().availableProcessors(), true);
	}

	@Bean(defaultCandidate = false)
	@ConditionalOnMissingBean(name = "reflectorTaskExecutor")
	SimpleAsyncTaskExecutor reflectorTaskExecutor(ObjectProvider<SimpleAsyncTaskExecutorBuilder> builder) {
		SimpleAsyncTaskExecutor executor = builder.getIfAvailable(SimpleAsyncTaskExecutorBuilder::new)
			.threadNamePrefix("reflector-")
			// the loops of the reflectors never end: a limit would keep some from
			// starting
			.concurrencyLimit(SimpleAsyncTaskExecutor.UNBOUNDED_CONCURRENCY)
			.build();
		executor.setDaemon(true);
		return executor;
	}

	@Bean
	@ConditionalOnMissingBean(TimeSource.class)
	SystemTimeSource reflectorTimeSource() {
		return new SystemTimeSource();
	}

	@Bean
	ReflectorFactory reflectorFactory(ReflectorProperties properties, Environment environment,
			ApiServerConnection connection, TimeSource time, @Qualifier("reflectorTaskExecutor") Executor threads,
			ApplicationEventPublisher publisher, ListableBeanFactory beanFactory) {
		return new ReflectorFactory(properties, new ReflectorDefinitions(properties, environment), connection, time,
				threads, publisher, beanFactory);
	}

	@Bean
	ReflectedResourceTypes reflectedResourceTypes(ReflectorProperties properties, Environment environment,
			ConfigurableListableBeanFactory beanFactory) {
		return new ReflectedResourceTypes(beanFactory, new ReflectorDefinitions(properties, environment));
	}

	@Bean
	@ConditionalOnMissingBean
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
	ReflectorLifecycle reflectorLifecycle(ListableBeanFactory beanFactory, ReflectorFactory factory,
			ReflectorProperties properties, ApiServerConnection connection, ApplicationStartup startup) {
		// of this context alone: its parents start and stop their own
		return new ReflectorLifecycle(() -> beanFactory.getBeansOfType(SharedInformer.class)
			.values()
			.stream()
			.sorted(AnnotationAwareOrderComparator.INSTANCE)
			.filter((informer) -> factory.idleReason(informer) == null)
			.map((informer) -> ManagedReflector.of(informer).recordedBy(startup))
			.toList(), properties.keepAlive(), connection::close);
	}

	@Bean
	InheritedReflectors inheritedReflectors(ConfigurableListableBeanFactory beanFactory, ReflectorProperties properties,
			TimeSource time) {
		return new InheritedReflectors(beanFactory, properties.events().policy(), time);
	}

	@Bean
	ReflectorStartupRunner reflectorStartupRunner(ReflectorLifecycle lifecycle, ReflectorProperties properties,
			ApplicationStartup startup) {
		return new ReflectorStartupRunner(lifecycle::started, properties.startup(), startup);
	}

}
