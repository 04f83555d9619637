package dev.reflector.autoconfigure;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.reactive.ReactiveHttpClientAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.webclient.autoconfigure.WebClientAutoConfiguration;

/**
 * Context runners that find no API server unless told otherwise.
 */
final class ReflectorContextRunners {

	/** Hides what the environment of the build says about clusters. */
	static final String[] NO_SERVER = { "KUBECONFIG=", "user.home=/nonexistent", "KUBERNETES_SERVICE_HOST=" };

	private ReflectorContextRunners() {
	}

	static ApplicationContextRunner withoutTypes() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ReflectorAutoConfiguration.class,
					ReflectorsEndpointAutoConfiguration.class, ReflectorsHealthContributorAutoConfiguration.class,
					ReflectorsInfoContributorAutoConfiguration.class, ReflectorsMetricsAutoConfiguration.class,
					ReflectorsObservationAutoConfiguration.class, JacksonAutoConfiguration.class,
					ReactiveHttpClientAutoConfiguration.class, SslAutoConfiguration.class,
					TaskExecutionAutoConfiguration.class, WebClientAutoConfiguration.class))
			.withPropertyValues(NO_SERVER);
	}

	static ApplicationContextRunner withTypesIn(String... packages) {
		return withoutTypes().withInitializer((context) -> AutoConfigurationPackages
			.register((BeanDefinitionRegistry) context.getBeanFactory(), packages));
	}

	static ApplicationContextRunner withTypesNextTo(Class<?> type) {
		return withTypesIn(type.getPackageName());
	}

}
