package dev.reflector.autoconfigure;

import java.util.concurrent.Executor;

import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.client.credentials.InClusterConfig;
import io.micrometer.observation.ObservationRegistry;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.AnnotatedGenericBeanDefinition;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
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
 * What reflectors are made of and with: the connection to the API server, threads and
 * clock. Registered where there are reflectors, and made with the first one, so that an
 * application that has none does not wait for any of it when it starts.
 */
@Configuration(proxyBeanMethods = false)
final class ReflectorFactoryConfiguration {

	/** Name of its bean. */
	static final String BEAN_NAME = ReflectorFactoryConfiguration.class.getName();

	/**
	 * Registers it, unless it is there. Spring takes what it configures from it in the
	 * same or the next pass over configuration classes.
	 * @param beanFactory the context
	 * @return whether it was not there
	 */
	static boolean register(DefaultListableBeanFactory beanFactory) {
		if (beanFactory.containsBeanDefinition(BEAN_NAME)) {
			return false;
		}
		beanFactory.registerBeanDefinition(BEAN_NAME,
				new AnnotatedGenericBeanDefinition(ReflectorFactoryConfiguration.class));
		return true;
	}

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

}
