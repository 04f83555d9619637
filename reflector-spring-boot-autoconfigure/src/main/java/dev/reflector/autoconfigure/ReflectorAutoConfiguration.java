package dev.reflector.autoconfigure;

import java.util.List;

import dev.reflector.autoconfigure.internal.connection.ApiServerConnection;
import dev.reflector.autoconfigure.internal.diagnosis.DurableListenersCheck;
import dev.reflector.autoconfigure.internal.diagnosis.ReflectorBeansCheck;
import dev.reflector.autoconfigure.internal.diagnosis.ReflectorSettingsCheck;
import dev.reflector.autoconfigure.internal.diagnosis.SilentListenersCheck;
import dev.reflector.autoconfigure.internal.diagnosis.StartReport;
import dev.reflector.autoconfigure.internal.hierarchy.InheritedReflectors;
import dev.reflector.autoconfigure.internal.lifecycle.ManagedReflector;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorStartupRunner;
import dev.reflector.autoconfigure.internal.lifecycle.StrictStart;
import dev.reflector.autoconfigure.internal.registration.ReflectedResourceRegistrations;
import dev.reflector.autoconfigure.internal.registration.ReflectorBeansRegistrar;
import dev.reflector.autoconfigure.internal.registration.ReflectorFactory;
import dev.reflector.autoconfigure.internal.registration.ReflectorQualifiers;
import dev.reflector.autoconfigure.registration.ReflectorNaming;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.event.ReflectorEventListenerFactory;
import dev.reflector.event.ReflectorListenerBeans;
import dev.reflector.event.ReflectorTransactionalListenerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.core.env.Environment;
import org.springframework.core.metrics.ApplicationStartup;
import org.springframework.transaction.event.TransactionalEventListenerFactory;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for reflectors: one reflector, one lister and one stream of events
 * for each type annotated with
 * {@link dev.reflector.ReflectedResource @ReflectedResource}. The beans that create
 * reflectors do not exist before the first reflector is needed.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass({ WebClient.class, JsonMapper.class })
@ConditionalOnBooleanProperty(name = "reflector.enabled", matchIfMissing = true)
@EnableConfigurationProperties({ ReflectorProperties.class, ReflectorSnapshotProperties.class,
		ReflectorShardingProperties.class })
@Import({ ReflectorBeansRegistrar.class, ReflectorFactoryConfiguration.class })
public final class ReflectorAutoConfiguration {

	/**
	 * The method is static, so that the check exists before properties are bound: the
	 * check observes which properties are bound.
	 */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static ReflectorSettingsCheck reflectorSettingsCheck(Environment environment, ListableBeanFactory beanFactory) {
		return new ReflectorSettingsCheck(environment, beanFactory,
				() -> beanFactory.getBean(ReflectorProperties.class).resources());
	}

	@Bean
	static ReflectorBeansCheck reflectorBeansCheck(ConfigurableListableBeanFactory beanFactory) {
		return new ReflectorBeansCheck(beanFactory);
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
	static DurableListenersCheck reflectorDurableListenersCheck(ConfigurableListableBeanFactory beanFactory,
			ApplicationContext context) {
		return new DurableListenersCheck(beanFactory, context);
	}

	@Bean
	static SilentListenersCheck reflectorSilentListenersCheck(ConfigurableListableBeanFactory beanFactory,
			ApplicationContext context) {
		return new SilentListenersCheck(beanFactory, context);
	}

	@Bean
	ReflectorLifecycle reflectorLifecycle(ConfigurableListableBeanFactory beanFactory,
			ObjectProvider<ReflectorProperties> properties, ApplicationStartup startup) {
		return new ReflectorLifecycle(() -> managed(beanFactory, startup), () -> properties.getObject().keepAlive(),
				new StrictStart(() -> properties.getObject().startup().syncTimeout(true), startup),
				() -> disconnect(beanFactory));
	}

	/**
	 * Finds the reflectors of this context, without the reflectors of its parents. Each
	 * context starts and stops its own reflectors.
	 */
	private static List<ManagedReflector> managed(ListableBeanFactory beanFactory, ApplicationStartup startup) {
		return beanFactory.getBeansOfType(SharedInformer.class)
			.values()
			.stream()
			.filter(ReflectorNaming::isNamed)
			.sorted(AnnotationAwareOrderComparator.INSTANCE)
			.filter((informer) -> ReflectorFactory.idleReason(beanFactory, informer) == null)
			.map((informer) -> ManagedReflector.of(informer).recordedBy(startup))
			.toList();
	}

	/** Closes the connection to the API server, if the connection was made. */
	private static void disconnect(ConfigurableListableBeanFactory beanFactory) {
		if (beanFactory.containsSingleton(ApiServerConnection.BEAN_NAME)) {
			beanFactory.getBean(ApiServerConnection.class).close();
		}
	}

	@Bean
	InheritedReflectors inheritedReflectors(ConfigurableListableBeanFactory beanFactory,
			ApplicationEventPublisher publisher, ObjectProvider<ReflectorProperties> properties,
			ObjectProvider<TimeSource> time) {
		return new InheritedReflectors(beanFactory, publisher, () -> properties.getObject().events().deliveryPolicy(),
				time);
	}

	@Bean
	StartReport reflectorStartReport(ConfigurableListableBeanFactory beanFactory, ApplicationContext context) {
		return new StartReport(beanFactory, context);
	}

	@Bean
	ReflectorStartupRunner reflectorStartupRunner(ReflectorLifecycle lifecycle,
			ObjectProvider<ReflectorProperties> properties, ApplicationStartup startup) {
		return new ReflectorStartupRunner(lifecycle::started, () -> properties.getObject().startup().syncTimeout(false),
				startup);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(TransactionalEventListenerFactory.class)
	static class TransactionalListeners {

		@Bean
		static ReflectorTransactionalListenerFactory reflectorTransactionalListenerFactory(
				ListableBeanFactory beanFactory) {
			return new ReflectorTransactionalListenerFactory(beanFactory);
		}

	}

}
